import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { showPasskey, passkeysWork, type PasskeyAnswer } from "../../api/passkey";
import { useSession } from "../../api/queries";
import { Refusal } from "./Refusal";

interface Use<T> {
  children: string;
  before?: () => Promise<void>;
  hand: (answer: PasskeyAnswer) => Promise<T>;
  onDone: (result: T) => void;
  filled?: boolean;
}

/** Shows a passkey and does something with the answer; nothing where passkeys do not work. */
export function PasskeyButton<T>({ children, before, hand, onDone, filled = false }: Use<T>) {
  const host = useSession().data?.passkey_host;
  const using = useMutation({
    mutationFn: async () => {
      await before?.();
      return hand(await showPasskey());
    },
    onSuccess: onDone,
  });
  if (!passkeysWork(host)) return null;
  return (
    <>
      <Button
        fullWidth
        variant={filled ? "filled" : "default"}
        loading={using.isPending}
        onClick={() => using.mutate()}
      >
        {children}
      </Button>
      {using.error ? <Refusal error={using.error} /> : null}
    </>
  );
}
