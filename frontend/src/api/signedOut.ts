import { createStore } from "../state/store";

/** True once the server said that nobody is signed in any more. */
export const signedOut = createStore(false);
