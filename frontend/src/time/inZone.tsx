import type { ComponentType } from "react";
import { useStore } from "../state/store";
import { regionZone, zone } from "./clock";

/** A page that is drawn again when times change to another zone: those in its sentences, too. */
export function inZone(Page: ComponentType): ComponentType {
  return function PageInZone() {
    useStore(zone);
    useStore(regionZone);
    return <Page />;
  };
}
