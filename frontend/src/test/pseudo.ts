import english from "../words/catalogues/en.json";
import server from "../words/catalogues/server.json";
import { pseudoTexts } from "../words/pseudo";

// Before any module with texts is loaded: constants are in the language that is chosen then.
localStorage.setItem("switchyard.language", "en-XA");
localStorage.setItem(
  "switchyard.catalogue",
  JSON.stringify({ language: "en-XA", texts: pseudoTexts({ ...english, ...server }) }),
);
