"""Pure decisions: values in, values out."""
