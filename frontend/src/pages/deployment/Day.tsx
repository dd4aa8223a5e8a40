import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { Chart } from "../../parts/charts/Chart";
import { Card } from "../../parts/Page";
import { Empty, Loaded } from "../../parts/states";
import { t } from "../../words/text";

/** How the shards of this deployment did within the last day. */
export function Day({ service, region }: { service: string; region: string }) {
  const samples = useQuery({
    queryKey: ["deployment", service, region, "samples"],
    queryFn: ({ signal }) => read("/deployments/{service}/{region}/samples", { path: { service, region }, signal }),
    refetchInterval: 30_000,
  });
  return (
    <Card title={t`Shards in the last 24 hours`}>
      <Loaded of={samples} lines={3}>
        {(data) =>
          data.at.length === 0 ? (
            <Empty title={t`No upgrade ran in the last 24 hours.`} />
          ) : (
            <div className="halves">
              <Chart
                data={{
                  title: t`Shards caught up`,
                  unit: "",
                  at: data.at,
                  lines: [{ name: t`caught up`, colour: "--ok", values: data.ready }],
                }}
              />
              <Chart
                data={{
                  title: t`Lag`,
                  unit: " s",
                  decimals: 1,
                  at: data.at,
                  lines: [
                    { name: t`p50`, colour: "--ok", values: data.lag_p50 },
                    { name: t`max`, colour: "--wait", values: data.lag_max },
                  ],
                }}
              />
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}
