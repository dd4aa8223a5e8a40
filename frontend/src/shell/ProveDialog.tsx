import { Button, Modal, PasswordInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client";
import { problemFrom } from "../api/problem";
import { proof } from "../api/proof";
import { useSession } from "../api/queries";
import { Shape } from "../parts/Shape";
import { useStore } from "../parts/store";

function Form({ onShown, onCancel }: { onShown: () => void; onCancel: () => void }) {
  const providers = useSession().data?.providers ?? [];
  const [password, setPassword] = useState("");
  const [totp, setTotp] = useState("");
  const show = useMutation({ mutationFn: () => send("/session/proof", { method: "POST", body: { password, totp: totp.trim() } }), onSuccess: onShown });
  const problem = show.error ? problemFrom(show.error) : null;
  const code = problem?.code?.startsWith("totp") || totp !== "";
  const elsewhere = problem?.code === "step-up-sso";
  return (
    <form className="stack" onSubmit={(event) => { event.preventDefault(); show.mutate(); }}>
      <p>This decision is critical. Show again that it is you; what you typed is kept.</p>
      {problem && problem.code !== "totp-required" ? <div className="notice soft-bad" role="alert"><Shape tone="bad" /><span>{problem.detail ?? problem.title} {problem.remedy}</span></div> : null}
      {elsewhere ? (
        <>
          {providers.map((provider) => <Button key={provider.id} component="a" href={provider.url} target="_blank" rel="noreferrer">{provider.name} (in a new tab)</Button>)}
          <div className="row end"><Button onClick={onCancel}>Cancel</Button><Button variant="filled" onClick={onShown}>I have signed in: go on</Button></div>
        </>
      ) : (
        <>
          <PasswordInput data-autofocus label="Password" autoComplete="current-password" required value={password} onChange={(event) => setPassword(event.currentTarget.value)} />
          {code ? <TextInput label="Code from your authenticator" autoComplete="one-time-code" inputMode="numeric" value={totp} onChange={(event) => setTotp(event.currentTarget.value)} /> : null}
          <div className="row end"><Button onClick={onCancel}>Cancel</Button><Button type="submit" variant="filled" loading={show.isPending}>Go on</Button></div>
        </>
      )}
    </form>
  );
}

/** Before a critical decision the server asks who is there; the request goes on by itself afterwards. */
export function ProveDialog() {
  const waiting = useStore(proof);
  if (!waiting) return null;
  return (
    <Modal opened onClose={() => waiting.settle(false)} title="Is it you?" zIndex={400} closeButtonProps={{ "aria-label": "Close" }}>
      <Form onShown={() => waiting.settle(true)} onCancel={() => waiting.settle(false)} />
    </Modal>
  );
}
