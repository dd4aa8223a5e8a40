import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { Card } from "../../parts/Page";
import { ProblemPanel } from "../../parts/states";
import { Time } from "../../time/Time";
import type { components } from "../../wire/schema";
import { rich, t } from "../../words/text";

type AccessRequest = components["schemas"]["AccessRequest"];

function Decide({ of, roles }: { of: AccessRequest; roles: readonly string[] }) {
  const cache = useQueryClient();
  const [role, setRole] = useState("viewer");
  const [service, setService] = useState("*");
  const [region, setRegion] = useState("*");
  const [answer, setAnswer] = useState("");
  const decide = useMutation({
    mutationFn: (votes: string) =>
      write.post("/access/requests/{id}", {
        path: { id: of.id },
        body: { role: votes, service, region, answer: answer.trim() },
      }),
    onSettled: () => {
      for (const key of ["access", "overview"]) void cache.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <div className="stack tight">
      <div className="row wrap tight">
        <Select
          size="xs"
          w={150}
          label={t`Role`}
          aria-label={t`Role for ${of.who}`}
          data={[...roles]}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(value ?? "viewer")}
        />
        <TextInput
          size="xs"
          w={150}
          label={t`Service`}
          value={service}
          onChange={(event) => setService(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          w={110}
          label={t`Region`}
          value={region}
          onChange={(event) => setRegion(event.currentTarget.value)}
        />
      </div>
      <Textarea
        size="xs"
        label={t`Comment`}
        description={t`Required to reject.`}
        autosize
        minRows={1}
        value={answer}
        onChange={(event) => setAnswer(event.currentTarget.value)}
      />
      {decide.isError ? <ProblemPanel error={decide.error} /> : null}
      <div className="row tight end">
        <Button
          size="xs"
          disabled={answer.trim() === ""}
          loading={decide.isPending && decide.variables === ""}
          aria-label={t`Reject ${of.who}`}
          onClick={() => decide.mutate("")}
        >
          {t`Reject`}
        </Button>
        <Button
          size="xs"
          variant="filled"
          loading={decide.isPending && decide.variables !== ""}
          aria-label={t`Grant ${of.who} the role`}
          onClick={() => decide.mutate(role)}
        >
          {t`Grant the role`}
        </Button>
      </div>
    </div>
  );
}

/** Who signed in, may do nothing yet, and asks for it. */
export function Requests() {
  const may = useAccount()?.permissions.includes("access.manage") ?? false;
  const requests = useQuery({
    queryKey: ["access", "requests"],
    queryFn: ({ signal }) => read("/access/requests", { signal }),
    refetchInterval: 15_000,
  });
  const roles = useQuery({
    queryKey: ["access", "roles"],
    queryFn: ({ signal }) => read("/access/roles", { signal }),
    enabled: may,
  });
  const items = requests.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Card title={t`Access requests`} className="above">
      <ul className="plain-list">
        {items.map((each) => (
          <li key={each.id} className="stack tight">
            <div>
              <b>{each.who}</b> <span className="small muted">{rich`asked ${(<Time at={each.at} />)}`}</span>
              {each.comment ? <div>{each.comment}</div> : null}
            </div>
            {may ? <Decide of={each} roles={(roles.data?.items ?? []).map((role) => role.role)} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
