import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconX } from "@tabler/icons-react";
import { type DragEvent } from "react";
import { move, place, shortName } from "./waves";
import { rich, t } from "../../words/text";

/** What is dragged onto a wave goes there; the arrows do the same for the keyboard. */
function dropping(onDrop: (name: string) => void): {
  onDragOver: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
} {
  return {
    onDragOver: (event) => event.preventDefault(),
    onDrop: (event) => {
      event.preventDefault();
      onDrop(event.dataTransfer.getData("text/plain"));
    },
  };
}

export function Waves({ waves, onChange }: { waves: string[][]; onChange: (waves: string[][]) => void }) {
  return (
    <ol className="waves">
      {waves.map((wave, at) => (
        <li key={wave.join()} aria-label={t`Wave ${at + 1}`} {...dropping((name) => onChange(place(waves, name, at)))}>
          <h2>{rich`Wave ${at + 1}${at === 0 && waves.length > 1 ? t`: first, alone` : ""}`}</h2>
          <ul className="plain-list">
            {wave.map((name) => (
              // The arrows beside each name do the same by keyboard.
              // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
              <li
                key={name}
                className="row between dragged"
                draggable
                onDragStart={(event) => event.dataTransfer.setData("text/plain", name)}
              >
                <span>{shortName(name)}</span>
                <span className="row tight">
                  <ActionIcon
                    variant="subtle"
                    size="sm"
                    aria-label={t`${shortName(name)}: a wave earlier`}
                    disabled={at === 0 && wave.length === 1}
                    onClick={() => onChange(move(waves, name, -1))}
                  >
                    <IconArrowUp size={15} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    size="sm"
                    aria-label={t`${shortName(name)}: a wave later`}
                    disabled={at === waves.length - 1 && wave.length === 1}
                    onClick={() => onChange(move(waves, name, 1))}
                  >
                    <IconArrowDown size={15} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    size="sm"
                    aria-label={t`Remove ${shortName(name)}`}
                    onClick={() =>
                      onChange(
                        waves.map((each) => each.filter((one) => one !== name)).filter((each) => each.length > 0),
                      )
                    }
                  >
                    <IconX size={15} />
                  </ActionIcon>
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li className="small muted new-wave" {...dropping((name) => onChange(place(waves, name, waves.length)))}>
        {t`Drag a deployment to a wave, or here to create a new wave.`}
      </li>
    </ol>
  );
}
