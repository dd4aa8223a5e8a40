import type * as ours from "./model";
import type { components } from "./schema";

type Schemas = components["schemas"];

/** Does not compile when the server's shape lacks what a page reads, or has it otherwise. */
type Fits<Server extends Ours, Ours> = Server;

export type Conform = [
  Fits<Schemas["Shard"], ours.Shard>,
  Fits<Schemas["Step"], ours.Step>,
  Fits<Schemas["UpgradeSummary"], ours.UpgradeSummary>,
  Fits<Schemas["Upgrade"], ours.Upgrade>,
  Fits<Schemas["TimelineEntry"], ours.UpgradeEvent>,
  Fits<Schemas["Samples"], ours.Samples>,
  Fits<Schemas["QuarantinedResource"], ours.QuarantinedResource>,
  Fits<Schemas["ApprovalSummary"], ours.ApprovalSummary>,
  Fits<Schemas["Approval"], ours.Approval>,
  Fits<Schemas["Fleet"], ours.Fleet>,
  Fits<Schemas["Health"], ours.Health>,
  Fits<Schemas["AuditChain"], ours.Chain>,
  Fits<Schemas["AuditEntry"], ours.AuditEntry>,
  Fits<Schemas["Token"], ours.Token>,
  Fits<Schemas["Account"], ours.AccountRow>,
  Fits<Schemas["Binding"], ours.Binding>,
  Fits<Schemas["Explanation"], ours.Explanation>,
  Fits<Schemas["Service"], ours.ServiceRow>,
  Fits<Schemas["ServiceDetail"], ours.ServicePage>,
];
