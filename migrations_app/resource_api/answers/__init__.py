"""How answers of the resource API are written: forms, documents, errors of Google clients."""
