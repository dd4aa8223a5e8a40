import { useState } from "react";
import type { GraphView } from "./graph";
import { placed, type Position, type Positions } from "./layout";

/** What is drawn, by its names alone: colours and counts do not move anything. */
export function topologyOf(picture: GraphView): string {
  return [...picture.nodes.map((node) => node.id), ...picture.edges.map((edge) => edge.id)].join("\n");
}

export interface PositionState {
  spots: Positions;
  pinned: ReadonlySet<string>;
  /** Grows with each tidying: then the whole picture is brought into view. */
  tidied: number;
  tidy: () => void;
  /** Put by hand, and therefore pinned. */
  move: (id: string, spot: Position) => void;
  pin: (id: string) => void;
}

/** Where each resource lies: kept by its id while the picture changes, and laid out anew only by a person. */
export function usePositions(picture: GraphView): PositionState {
  const topology = topologyOf(picture);
  const [kept, keep] = useState<{ topology: string; spots: Positions }>({ topology: "", spots: new Map() });
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set());
  const [tidied, setTidied] = useState(0);
  let { spots } = kept;
  if (kept.topology !== topology) {
    spots = new Map([...kept.spots, ...placed(picture.nodes, kept.spots)]);
    keep({ topology, spots });
  }
  return {
    spots,
    pinned,
    tidied,
    tidy: () => {
      keep({ topology, spots: placed(picture.nodes, new Map([...spots].filter(([id]) => pinned.has(id)))) });
      setTidied(tidied + 1);
    },
    move: (id, spot) => {
      keep({ topology, spots: new Map([...spots, [id, spot]]) });
      setPinned(new Set([...pinned, id]));
    },
    pin: (id) => setPinned(new Set(pinned.has(id) ? [...pinned].filter((each) => each !== id) : [...pinned, id])),
  };
}
