import type { components } from "./schema";

type Shapes = components["schemas"];

export type Stakes = Shapes["StakesShape"];
export type Duty = Shapes["DutyShape"];
export type RiskLevel = Stakes["risk"]["level"];
export type TogetherAnswer = Shapes["TogetherAnswerShape"];
