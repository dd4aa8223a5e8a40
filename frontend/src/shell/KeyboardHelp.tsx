import { Switch } from "@mantine/core";
import { useStore } from "../state/store";
import { bindings } from "./bindings";
import { letterKeys } from "../parts/keyboard/keys";
import { Dialog } from "../parts/forms/Dialog";
import { t } from "../words/text";

export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const letters = useStore(letterKeys);
  const places = [...new Set(bindings.map((binding) => binding.where))];
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Keyboard`} size="lg">
      <div className="keys">
        {places.map((place) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl>
              {bindings
                .filter((binding) => binding.where === place)
                .map((binding) => (
                  <div key={binding.keys}>
                    <dt>
                      {binding.keys
                        .split(" ")
                        .map((key) => (key === "/" && binding.keys !== "/" ? " or " : <kbd key={key}>{key}</kbd>))}
                    </dt>
                    <dd>{binding.does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        mt="md"
        checked={letters}
        onChange={(event) => letterKeys.set(event.currentTarget.checked)}
        label={t`Single-letter keys`}
      />
    </Dialog>
  );
}
