import type * as ours from "./model";
import type { components } from "./schema";

type Shapes = components["schemas"];

/** Does not compile when the server's shape lacks what a page reads, or has it otherwise. */
type Fits<Server extends Ours, Ours> = Server;

export type Conform = [
  Fits<Shapes["CheckShape"], ours.Check>,
  Fits<Shapes["ShardShape"], ours.Shard>,
  Fits<Shapes["StepShape"], ours.Step>,
  Fits<Shapes["UpgradeSummaryShape"], ours.UpgradeSummary>,
  Fits<Shapes["UpgradeShape"], ours.Upgrade>,
  Fits<Shapes["LineShape"], ours.UpgradeEvent>,
  Fits<Shapes["SamplesShape"], ours.Samples>,
  Fits<Shapes["ParkedShape"], ours.QuarantinedResource>,
  Fits<Shapes["ApprovalSummaryShape"], ours.ApprovalSummary>,
  Fits<Shapes["ApprovalShape"], ours.Approval>,
  Fits<Shapes["FleetShape"], ours.Fleet>,
  Fits<Shapes["HealthShape"], ours.Health>,
  Fits<Shapes["ChainShape"], ours.Chain>,
  Fits<Shapes["EntryShape"], ours.AuditEntry>,
  Fits<Shapes["TokenShape"], ours.Token>,
  Fits<Shapes["AccountShape"], ours.AccountRow>,
  Fits<Shapes["BindingShape"], ours.Binding>,
  Fits<Shapes["ExplanationShape"], ours.Explanation>,
  Fits<Shapes["ServiceShape"], ours.ServiceRow>,
  Fits<Shapes["ServicePageShape"], ours.ServicePage>,
];
