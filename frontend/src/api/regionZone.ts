import { useEffect } from "react";
import { regionZone } from "../time/clock";
import { useFleet } from "./queries";

/** The page is about a region: its time zone is the third one that times can be read in. */
export function useRegionZone(region: string | undefined): void {
  const result = useFleet().data?.regions.find((each) => each.name === region)?.zone ?? "";
  useEffect(() => {
    regionZone.set(result);
    return () => regionZone.set("");
  }, [result]);
}
