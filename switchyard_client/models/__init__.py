"""What is sent and answered: one type for each schema, imported when it is used.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from switchyard_client.models.access import AccessDecisionRequest as AccessDecisionRequest
    from switchyard_client.models.access import AccessQuestionRequest as AccessQuestionRequest
    from switchyard_client.models.access import AccessRequestPage as AccessRequestPage
    from switchyard_client.models.access import Account as Account
    from switchyard_client.models.access import AccountPage as AccountPage
    from switchyard_client.models.access import Binding as Binding
    from switchyard_client.models.access import BindingBoundsRequest as BindingBoundsRequest
    from switchyard_client.models.access import BindingPage as BindingPage
    from switchyard_client.models.access import Conditions as Conditions
    from switchyard_client.models.access import ConditionsRequest as ConditionsRequest
    from switchyard_client.models.access import Explanation as Explanation
    from switchyard_client.models.access import Grant as Grant
    from switchyard_client.models.access import GroupGrants as GroupGrants
    from switchyard_client.models.access import GroupsRequest as GroupsRequest
    from switchyard_client.models.access import NewAccountRequest as NewAccountRequest
    from switchyard_client.models.access import NewBindingRequest as NewBindingRequest
    from switchyard_client.models.access import NewRoleRequest as NewRoleRequest
    from switchyard_client.models.access import PatchedChangeAccountRequest as PatchedChangeAccountRequest
    from switchyard_client.models.access import Permission as Permission
    from switchyard_client.models.access import Role as Role
    from switchyard_client.models.access import RolePage as RolePage
    from switchyard_client.models.access import RoleRulesRequest as RoleRulesRequest
    from switchyard_client.models.approvals import Approval as Approval
    from switchyard_client.models.approvals import ApprovalPage as ApprovalPage
    from switchyard_client.models.approvals import ApprovalSummary as ApprovalSummary
    from switchyard_client.models.approvals import BreakingReference as BreakingReference
    from switchyard_client.models.approvals import BulkVoteAnswer as BulkVoteAnswer
    from switchyard_client.models.approvals import BulkVoteItemRequest as BulkVoteItemRequest
    from switchyard_client.models.approvals import BulkVoteOutcome as BulkVoteOutcome
    from switchyard_client.models.approvals import BulkVoteRequest as BulkVoteRequest
    from switchyard_client.models.approvals import Caller as Caller
    from switchyard_client.models.approvals import CheckDifference as CheckDifference
    from switchyard_client.models.approvals import DelegateRequest as DelegateRequest
    from switchyard_client.models.approvals import Delegation as Delegation
    from switchyard_client.models.approvals import EarliestSwitch as EarliestSwitch
    from switchyard_client.models.approvals import ExcludedVoter as ExcludedVoter
    from switchyard_client.models.approvals import Impact as Impact
    from switchyard_client.models.approvals import ImpactSummary as ImpactSummary
    from switchyard_client.models.approvals import Reach as Reach
    from switchyard_client.models.approvals import ReferencesAtStake as ReferencesAtStake
    from switchyard_client.models.approvals import RegionVersion as RegionVersion
    from switchyard_client.models.approvals import ReportCounts as ReportCounts
    from switchyard_client.models.approvals import Risk as Risk
    from switchyard_client.models.approvals import StageVotes as StageVotes
    from switchyard_client.models.approvals import WorseCheck as WorseCheck
    from switchyard_client.models.asks import NewPermissionRequestRequest as NewPermissionRequestRequest
    from switchyard_client.models.asks import PermissionRequest as PermissionRequest
    from switchyard_client.models.asks import PermissionRequestPage as PermissionRequestPage
    from switchyard_client.models.audit import AuditAnchorRequest as AuditAnchorRequest
    from switchyard_client.models.audit import AuditAnchorsRequest as AuditAnchorsRequest
    from switchyard_client.models.audit import AuditChain as AuditChain
    from switchyard_client.models.audit import AuditEntry as AuditEntry
    from switchyard_client.models.audit import AuditEntryPage as AuditEntryPage
    from switchyard_client.models.brown_outs import StopBrownOutRequest as StopBrownOutRequest
    from switchyard_client.models.constraints import AllConstraints as AllConstraints
    from switchyard_client.models.constraints import AskEvictionRequest as AskEvictionRequest
    from switchyard_client.models.constraints import Blocker as Blocker
    from switchyard_client.models.constraints import ConstraintCounts as ConstraintCounts
    from switchyard_client.models.constraints import ConstraintFinding as ConstraintFinding
    from switchyard_client.models.constraints import Constraints as Constraints
    from switchyard_client.models.constraints import ConstraintWait as ConstraintWait
    from switchyard_client.models.constraints import CopySource as CopySource
    from switchyard_client.models.constraints import DeploymentConstraints as DeploymentConstraints
    from switchyard_client.models.constraints import Evictions as Evictions
    from switchyard_client.models.constraints import PendingDeletion as PendingDeletion
    from switchyard_client.models.constraints import PolicyChange as PolicyChange
    from switchyard_client.models.constraints import ReferenceAudit as ReferenceAudit
    from switchyard_client.models.constraints import Subscription as Subscription
    from switchyard_client.models.declared_sets import DeclaredObject as DeclaredObject
    from switchyard_client.models.declared_sets import DeclaredObjectRequest as DeclaredObjectRequest
    from switchyard_client.models.declared_sets import DeclaredObjectsRequest as DeclaredObjectsRequest
    from switchyard_client.models.declared_sets import DeclaredSet as DeclaredSet
    from switchyard_client.models.definition_rollouts import (
        StopDefinitionRolloutRequest as StopDefinitionRolloutRequest,
    )
    from switchyard_client.models.deletion_check import BlockingReference as BlockingReference
    from switchyard_client.models.deletion_check import DeletionCheck as DeletionCheck
    from switchyard_client.models.deletion_check import DeletionRehearsal as DeletionRehearsal
    from switchyard_client.models.deletion_check import IncomingReference as IncomingReference
    from switchyard_client.models.deletion_checks import BriefCheck as BriefCheck
    from switchyard_client.models.deletion_checks import BriefCheckPage as BriefCheckPage
    from switchyard_client.models.deletion_checks import NamesToCheckRequest as NamesToCheckRequest
    from switchyard_client.models.deletion_watches import DeletionWatch as DeletionWatch
    from switchyard_client.models.deletion_watches import DeletionWatchPage as DeletionWatchPage
    from switchyard_client.models.deployments import Activity as Activity
    from switchyard_client.models.deployments import ActivityPage as ActivityPage
    from switchyard_client.models.deployments import ActivityWriter as ActivityWriter
    from switchyard_client.models.deployments import ApplyDeploymentRequest as ApplyDeploymentRequest
    from switchyard_client.models.deployments import BagEntry as BagEntry
    from switchyard_client.models.deployments import ConversionRecord as ConversionRecord
    from switchyard_client.models.deployments import ConversionRecordPage as ConversionRecordPage
    from switchyard_client.models.deployments import ConversionSession as ConversionSession
    from switchyard_client.models.deployments import ConversionSessionPage as ConversionSessionPage
    from switchyard_client.models.deployments import ConversionStep as ConversionStep
    from switchyard_client.models.deployments import Database as Database
    from switchyard_client.models.deployments import Deployment as Deployment
    from switchyard_client.models.deployments import DeploymentImport as DeploymentImport
    from switchyard_client.models.deployments import DeploymentPage as DeploymentPage
    from switchyard_client.models.deployments import Image as Image
    from switchyard_client.models.deployments import KeptTypePage as KeptTypePage
    from switchyard_client.models.deployments import ListedResource as ListedResource
    from switchyard_client.models.deployments import Logs as Logs
    from switchyard_client.models.deployments import LogSettingsRequestRequest as LogSettingsRequestRequest
    from switchyard_client.models.deployments import ModeChange as ModeChange
    from switchyard_client.models.deployments import ObserveConversionsRequest as ObserveConversionsRequest
    from switchyard_client.models.deployments import OfferedAction as OfferedAction
    from switchyard_client.models.deployments import ReachableVersion as ReachableVersion
    from switchyard_client.models.deployments import Resource as Resource
    from switchyard_client.models.deployments import ResourceChange as ResourceChange
    from switchyard_client.models.deployments import ResourceChangePage as ResourceChangePage
    from switchyard_client.models.deployments import Resources as Resources
    from switchyard_client.models.deployments import ShardCountChange as ShardCountChange
    from switchyard_client.models.deployments import VersionView as VersionView
    from switchyard_client.models.deprecations import Deprecation as Deprecation
    from switchyard_client.models.deprecations import DeprecationPage as DeprecationPage
    from switchyard_client.models.duty import NewOnCallTurnRequest as NewOnCallTurnRequest
    from switchyard_client.models.duty import OnCallTurnPage as OnCallTurnPage
    from switchyard_client.models.emergencies import BreakGlassReview as BreakGlassReview
    from switchyard_client.models.emergencies import BreakGlassReviewPage as BreakGlassReviewPage
    from switchyard_client.models.fleet import ExampleFleet as ExampleFleet
    from switchyard_client.models.fleet import Fleet as Fleet
    from switchyard_client.models.fleet import FleetCallers as FleetCallers
    from switchyard_client.models.fleet import FleetImport as FleetImport
    from switchyard_client.models.fleet import FleetRegion as FleetRegion
    from switchyard_client.models.fleet import FleetService as FleetService
    from switchyard_client.models.fleet import FleetVersions as FleetVersions
    from switchyard_client.models.fleet import FleetWindows as FleetWindows
    from switchyard_client.models.fleet import WindowOutlook as WindowOutlook
    from switchyard_client.models.health import Component as Component
    from switchyard_client.models.health import Controller as Controller
    from switchyard_client.models.health import ControllerPage as ControllerPage
    from switchyard_client.models.health import Health as Health
    from switchyard_client.models.health import QuarantinedWork as QuarantinedWork
    from switchyard_client.models.health import QuarantinedWorkPage as QuarantinedWorkPage
    from switchyard_client.models.health import RetryKeyRequest as RetryKeyRequest
    from switchyard_client.models.health import WorkClass as WorkClass
    from switchyard_client.models.hooks import ChangeHookRequest as ChangeHookRequest
    from switchyard_client.models.hooks import DeliveryPage as DeliveryPage
    from switchyard_client.models.hooks import Hook as Hook
    from switchyard_client.models.hooks import HookPage as HookPage
    from switchyard_client.models.hooks import HookPreview as HookPreview
    from switchyard_client.models.hooks import HookRulesRequest as HookRulesRequest
    from switchyard_client.models.hooks import HookWithSecret as HookWithSecret
    from switchyard_client.models.hooks import NewHookRequest as NewHookRequest
    from switchyard_client.models.hooks import PreviewHookRequest as PreviewHookRequest
    from switchyard_client.models.notices import NewNotificationRuleRequest as NewNotificationRuleRequest
    from switchyard_client.models.notices import NewQuietHoursRequest as NewQuietHoursRequest
    from switchyard_client.models.notices import NotificationRule as NotificationRule
    from switchyard_client.models.notices import NotificationSettings as NotificationSettings
    from switchyard_client.models.notices import QuietHours as QuietHours
    from switchyard_client.models.operations import OperationPage as OperationPage
    from switchyard_client.models.overview import FollowedDeployment as FollowedDeployment
    from switchyard_client.models.overview import Need as Need
    from switchyard_client.models.overview import Overview as Overview
    from switchyard_client.models.overview import ServiceSkew as ServiceSkew
    from switchyard_client.models.overview import Switch as Switch
    from switchyard_client.models.overview import UpgradeCounts as UpgradeCounts
    from switchyard_client.models.overview import VersionCount as VersionCount
    from switchyard_client.models.overview import Week as Week
    from switchyard_client.models.overview import WindowOpening as WindowOpening
    from switchyard_client.models.policies import ChangedPolicy as ChangedPolicy
    from switchyard_client.models.policies import NewPolicyRequest as NewPolicyRequest
    from switchyard_client.models.policies import Policy as Policy
    from switchyard_client.models.policies import PolicyPage as PolicyPage
    from switchyard_client.models.policies import PolicyPreview as PolicyPreview
    from switchyard_client.models.policies import PolicyRulesRequest as PolicyRulesRequest
    from switchyard_client.models.policies import PreviewedUpgrade as PreviewedUpgrade
    from switchyard_client.models.policies import Stage as Stage
    from switchyard_client.models.policies import StageRequest as StageRequest
    from switchyard_client.models.policies import UpgradeSelector as UpgradeSelector
    from switchyard_client.models.policies import UpgradeSelectorRequest as UpgradeSelectorRequest
    from switchyard_client.models.references import FillingVersion as FillingVersion
    from switchyard_client.models.references import FillingVersionPage as FillingVersionPage
    from switchyard_client.models.references import GroupMember as GroupMember
    from switchyard_client.models.references import GroupMemberPage as GroupMemberPage
    from switchyard_client.models.references import HiddenResources as HiddenResources
    from switchyard_client.models.references import ReferenceEdge as ReferenceEdge
    from switchyard_client.models.references import ReferenceGroup as ReferenceGroup
    from switchyard_client.models.references import ReferenceGroups as ReferenceGroups
    from switchyard_client.models.references import References as References
    from switchyard_client.models.references import ResourceMatches as ResourceMatches
    from switchyard_client.models.regions import Region as Region
    from switchyard_client.models.regions import RegionPage as RegionPage
    from switchyard_client.models.report_keys import ReportKey as ReportKey
    from switchyard_client.models.report_keys import ReportKeyPage as ReportKeyPage
    from switchyard_client.models.requests import BatchAnswers as BatchAnswers
    from switchyard_client.models.requests import BatchRequestsRequest as BatchRequestsRequest
    from switchyard_client.models.requests import InnerAnswer as InnerAnswer
    from switchyard_client.models.requests import InnerRequestRequest as InnerRequestRequest
    from switchyard_client.models.rollouts import LeftOut as LeftOut
    from switchyard_client.models.rollouts import NewRolloutRequest as NewRolloutRequest
    from switchyard_client.models.rollouts import ProposedItem as ProposedItem
    from switchyard_client.models.rollouts import Rollout as Rollout
    from switchyard_client.models.rollouts import RolloutActionRequest as RolloutActionRequest
    from switchyard_client.models.rollouts import RolloutItem as RolloutItem
    from switchyard_client.models.rollouts import RolloutPage as RolloutPage
    from switchyard_client.models.rollouts import RolloutProposal as RolloutProposal
    from switchyard_client.models.rollouts import RolloutProposalPage as RolloutProposalPage
    from switchyard_client.models.rollouts import RolloutRehearsal as RolloutRehearsal
    from switchyard_client.models.rollouts import RolloutRehearsalItem as RolloutRehearsalItem
    from switchyard_client.models.rollouts import RolloutRest as RolloutRest
    from switchyard_client.models.rollouts import RolloutSummary as RolloutSummary
    from switchyard_client.models.rollouts import RolloutTarget as RolloutTarget
    from switchyard_client.models.rollouts import RolloutTargetPage as RolloutTargetPage
    from switchyard_client.models.rollouts import UnreachableDeployment as UnreachableDeployment
    from switchyard_client.models.services import AnnouncedDeadline as AnnouncedDeadline
    from switchyard_client.models.services import AnnounceDeadlineRequest as AnnounceDeadlineRequest
    from switchyard_client.models.services import AppliedService as AppliedService
    from switchyard_client.models.services import BrownOutPage as BrownOutPage
    from switchyard_client.models.services import ChangeAdvice as ChangeAdvice
    from switchyard_client.models.services import ChangedLines as ChangedLines
    from switchyard_client.models.services import ChangedLinesPage as ChangedLinesPage
    from switchyard_client.models.services import ChangeWay as ChangeWay
    from switchyard_client.models.services import Claim as Claim
    from switchyard_client.models.services import ClientUse as ClientUse
    from switchyard_client.models.services import Compatibility as Compatibility
    from switchyard_client.models.services import CompatibilityFinding as CompatibilityFinding
    from switchyard_client.models.services import CompatibilityQuestionRequest as CompatibilityQuestionRequest
    from switchyard_client.models.services import ConversionLoss as ConversionLoss
    from switchyard_client.models.services import DefinitionReview as DefinitionReview
    from switchyard_client.models.services import DefinitionReviewPage as DefinitionReviewPage
    from switchyard_client.models.services import DefinitionRolloutPage as DefinitionRolloutPage
    from switchyard_client.models.services import FieldCandidate as FieldCandidate
    from switchyard_client.models.services import Importer as Importer
    from switchyard_client.models.services import KeyStates as KeyStates
    from switchyard_client.models.services import KeyStrategyPage as KeyStrategyPage
    from switchyard_client.models.services import KeyUse as KeyUse
    from switchyard_client.models.services import KeyUsePage as KeyUsePage
    from switchyard_client.models.services import MethodUse as MethodUse
    from switchyard_client.models.services import NewBrownOutRequest as NewBrownOutRequest
    from switchyard_client.models.services import NewChangeWaiverRequest as NewChangeWaiverRequest
    from switchyard_client.models.services import NewDefinitionRolloutRequest as NewDefinitionRolloutRequest
    from switchyard_client.models.services import NewKeyStrategyRequest as NewKeyStrategyRequest
    from switchyard_client.models.services import NewWaiverRequest as NewWaiverRequest
    from switchyard_client.models.services import RemovedField as RemovedField
    from switchyard_client.models.services import RemovedFieldPage as RemovedFieldPage
    from switchyard_client.models.services import ResourceType as ResourceType
    from switchyard_client.models.services import Retirement as Retirement
    from switchyard_client.models.services import RetireRequest as RetireRequest
    from switchyard_client.models.services import Service as Service
    from switchyard_client.models.services import ServiceDeployment as ServiceDeployment
    from switchyard_client.models.services import ServiceDetail as ServiceDetail
    from switchyard_client.models.services import ServiceFolderRequest as ServiceFolderRequest
    from switchyard_client.models.services import ServiceImport as ServiceImport
    from switchyard_client.models.services import ServicePage as ServicePage
    from switchyard_client.models.services import ServingPeriod as ServingPeriod
    from switchyard_client.models.services import ServingPeriodPage as ServingPeriodPage
    from switchyard_client.models.services import SourceExcerpt as SourceExcerpt
    from switchyard_client.models.services import TypeChange as TypeChange
    from switchyard_client.models.services import Usage as Usage
    from switchyard_client.models.services import UsedPlace as UsedPlace
    from switchyard_client.models.services import UsedPlacePage as UsedPlacePage
    from switchyard_client.models.services import VersionUse as VersionUse
    from switchyard_client.models.session import AccessContact as AccessContact
    from switchyard_client.models.session import BreakGlassSession as BreakGlassSession
    from switchyard_client.models.session import CodeRequest as CodeRequest
    from switchyard_client.models.session import NewAccessRequestRequest as NewAccessRequestRequest
    from switchyard_client.models.session import NewPasskeyRequest as NewPasskeyRequest
    from switchyard_client.models.session import NewPasswordRequest as NewPasswordRequest
    from switchyard_client.models.session import Passkey as Passkey
    from switchyard_client.models.session import PasskeyAdded as PasskeyAdded
    from switchyard_client.models.session import PasskeyAnswerRequest as PasskeyAnswerRequest
    from switchyard_client.models.session import PasskeyNameRequest as PasskeyNameRequest
    from switchyard_client.models.session import PasskeyOptions as PasskeyOptions
    from switchyard_client.models.session import PasskeyPage as PasskeyPage
    from switchyard_client.models.session import PasskeySignInRequest as PasskeySignInRequest
    from switchyard_client.models.session import PasswordConfirmationRequest as PasswordConfirmationRequest
    from switchyard_client.models.session import Proposal as Proposal
    from switchyard_client.models.session import Provider as Provider
    from switchyard_client.models.session import RemovePasskeyRequest as RemovePasskeyRequest
    from switchyard_client.models.session import SecondFactor as SecondFactor
    from switchyard_client.models.session import Session as Session
    from switchyard_client.models.session import SessionLimits as SessionLimits
    from switchyard_client.models.session import ShownZoneRequest as ShownZoneRequest
    from switchyard_client.models.session import SignedInAccount as SignedInAccount
    from switchyard_client.models.session import SignInAddress as SignInAddress
    from switchyard_client.models.session import SignInProviderPage as SignInProviderPage
    from switchyard_client.models.session import SignInRequest as SignInRequest
    from switchyard_client.models.session import SpareCodes as SpareCodes
    from switchyard_client.models.sessions import BrowserSession as BrowserSession
    from switchyard_client.models.sessions import BrowserSessionPage as BrowserSessionPage
    from switchyard_client.models.shared import AccessRequest as AccessRequest
    from switchyard_client.models.shared import AvailableAction as AvailableAction
    from switchyard_client.models.shared import Blockage as Blockage
    from switchyard_client.models.shared import BrownOut as BrownOut
    from switchyard_client.models.shared import Cell as Cell
    from switchyard_client.models.shared import ChangeDecision as ChangeDecision
    from switchyard_client.models.shared import ChangedSide as ChangedSide
    from switchyard_client.models.shared import ChangePhase as ChangePhase
    from switchyard_client.models.shared import ChangeWaiver as ChangeWaiver
    from switchyard_client.models.shared import Check as Check
    from switchyard_client.models.shared import CopyDuration as CopyDuration
    from switchyard_client.models.shared import DefinitionPhase as DefinitionPhase
    from switchyard_client.models.shared import DefinitionRollout as DefinitionRollout
    from switchyard_client.models.shared import Delivery as Delivery
    from switchyard_client.models.shared import Dependant as Dependant
    from switchyard_client.models.shared import Eta as Eta
    from switchyard_client.models.shared import Eviction as Eviction
    from switchyard_client.models.shared import ForecastPolicy as ForecastPolicy
    from switchyard_client.models.shared import ForecastWindow as ForecastWindow
    from switchyard_client.models.shared import KeptType as KeptType
    from switchyard_client.models.shared import KeptTypeExport as KeptTypeExport
    from switchyard_client.models.shared import KeyStrategy as KeyStrategy
    from switchyard_client.models.shared import OnCallTurn as OnCallTurn
    from switchyard_client.models.shared import Operation as Operation
    from switchyard_client.models.shared import Phrase as Phrase
    from switchyard_client.models.shared import Progress as Progress
    from switchyard_client.models.shared import ReferenceNode as ReferenceNode
    from switchyard_client.models.shared import RefusedClient as RefusedClient
    from switchyard_client.models.shared import ResourceNameRequest as ResourceNameRequest
    from switchyard_client.models.shared import Samples as Samples
    from switchyard_client.models.shared import SeenClient as SeenClient
    from switchyard_client.models.shared import Shard as Shard
    from switchyard_client.models.shared import Shards as Shards
    from switchyard_client.models.shared import Stall as Stall
    from switchyard_client.models.shared import StoredCount as StoredCount
    from switchyard_client.models.shared import UnansweredDeployment as UnansweredDeployment
    from switchyard_client.models.shared import UpgradeForecast as UpgradeForecast
    from switchyard_client.models.shared import UpgradeSummary as UpgradeSummary
    from switchyard_client.models.shared import Vote as Vote
    from switchyard_client.models.shared import VoteCommentRequest as VoteCommentRequest
    from switchyard_client.models.shared import Waiver as Waiver
    from switchyard_client.models.shared import WaiverPage as WaiverPage
    from switchyard_client.models.shared import Warnings as Warnings
    from switchyard_client.models.tokens import NewTokenRequest as NewTokenRequest
    from switchyard_client.models.tokens import Token as Token
    from switchyard_client.models.tokens import TokenPage as TokenPage
    from switchyard_client.models.tokens import TokenWithSecret as TokenWithSecret
    from switchyard_client.models.upgrades import BatchAnswer as BatchAnswer
    from switchyard_client.models.upgrades import BatchItem as BatchItem
    from switchyard_client.models.upgrades import BatchRequest as BatchRequest
    from switchyard_client.models.upgrades import CallersOfVersions as CallersOfVersions
    from switchyard_client.models.upgrades import CommentRequest as CommentRequest
    from switchyard_client.models.upgrades import CopyPacing as CopyPacing
    from switchyard_client.models.upgrades import DataTask as DataTask
    from switchyard_client.models.upgrades import DryRun as DryRun
    from switchyard_client.models.upgrades import Facet as Facet
    from switchyard_client.models.upgrades import Facets as Facets
    from switchyard_client.models.upgrades import History as History
    from switchyard_client.models.upgrades import NewRequestToPeopleRequest as NewRequestToPeopleRequest
    from switchyard_client.models.upgrades import NewUpgradeRequest as NewUpgradeRequest
    from switchyard_client.models.upgrades import NewWindowOverrideRequest as NewWindowOverrideRequest
    from switchyard_client.models.upgrades import QuarantineActionRequest as QuarantineActionRequest
    from switchyard_client.models.upgrades import QuarantinedResource as QuarantinedResource
    from switchyard_client.models.upgrades import QuarantinedResourcePage as QuarantinedResourcePage
    from switchyard_client.models.upgrades import Readiness as Readiness
    from switchyard_client.models.upgrades import ReadinessApprovals as ReadinessApprovals
    from switchyard_client.models.upgrades import Rehearsal as Rehearsal
    from switchyard_client.models.upgrades import RehearsedStep as RehearsedStep
    from switchyard_client.models.upgrades import Removal as Removal
    from switchyard_client.models.upgrades import RemovalPage as RemovalPage
    from switchyard_client.models.upgrades import ShardChanges as ShardChanges
    from switchyard_client.models.upgrades import ShardComparisons as ShardComparisons
    from switchyard_client.models.upgrades import ShardTransition as ShardTransition
    from switchyard_client.models.upgrades import ShardTransitionPage as ShardTransitionPage
    from switchyard_client.models.upgrades import SheetRequest as SheetRequest
    from switchyard_client.models.upgrades import SheetSwitchStep as SheetSwitchStep
    from switchyard_client.models.upgrades import SheetVote as SheetVote
    from switchyard_client.models.upgrades import Step as Step
    from switchyard_client.models.upgrades import SwitchStep as SwitchStep
    from switchyard_client.models.upgrades import TimelineEntry as TimelineEntry
    from switchyard_client.models.upgrades import Transition as Transition
    from switchyard_client.models.upgrades import UnfulfilledRequest as UnfulfilledRequest
    from switchyard_client.models.upgrades import Upgrade as Upgrade
    from switchyard_client.models.upgrades import UpgradeActionRequest as UpgradeActionRequest
    from switchyard_client.models.upgrades import UpgradeEventPage as UpgradeEventPage
    from switchyard_client.models.upgrades import UpgradeMilestoneRequest as UpgradeMilestoneRequest
    from switchyard_client.models.upgrades import UpgradePage as UpgradePage
    from switchyard_client.models.upgrades import VersionCallers as VersionCallers
    from switchyard_client.models.upgrades import WindowOverride as WindowOverride
    from switchyard_client.models.views import SaveViewRequest as SaveViewRequest
    from switchyard_client.models.views import View as View
    from switchyard_client.models.views import ViewPage as ViewPage
    from switchyard_client.models.windows import ChangedWindow as ChangedWindow
    from switchyard_client.models.windows import NewWindowRequest as NewWindowRequest
    from switchyard_client.models.windows import Occurrence as Occurrence
    from switchyard_client.models.windows import SwitchPermission as SwitchPermission
    from switchyard_client.models.windows import Window as Window
    from switchyard_client.models.windows import WindowPage as WindowPage
    from switchyard_client.models.windows import WindowRulesRequest as WindowRulesRequest
    from switchyard_client.models.windows import WindowSpan as WindowSpan
    from switchyard_client.models.windows import WindowSpanPage as WindowSpanPage

MODULES = {
    "AccessContact": "session",
    "AccessDecisionRequest": "access",
    "AccessQuestionRequest": "access",
    "AccessRequest": "shared",
    "AccessRequestPage": "access",
    "Account": "access",
    "AccountPage": "access",
    "Activity": "deployments",
    "ActivityPage": "deployments",
    "ActivityWriter": "deployments",
    "AllConstraints": "constraints",
    "AnnounceDeadlineRequest": "services",
    "AnnouncedDeadline": "services",
    "AppliedService": "services",
    "ApplyDeploymentRequest": "deployments",
    "Approval": "approvals",
    "ApprovalPage": "approvals",
    "ApprovalSummary": "approvals",
    "AskEvictionRequest": "constraints",
    "AuditAnchorRequest": "audit",
    "AuditAnchorsRequest": "audit",
    "AuditChain": "audit",
    "AuditEntry": "audit",
    "AuditEntryPage": "audit",
    "AvailableAction": "shared",
    "BagEntry": "deployments",
    "BatchAnswer": "upgrades",
    "BatchAnswers": "requests",
    "BatchItem": "upgrades",
    "BatchRequest": "upgrades",
    "BatchRequestsRequest": "requests",
    "Binding": "access",
    "BindingBoundsRequest": "access",
    "BindingPage": "access",
    "Blockage": "shared",
    "Blocker": "constraints",
    "BlockingReference": "deletion_check",
    "BreakGlassReview": "emergencies",
    "BreakGlassReviewPage": "emergencies",
    "BreakGlassSession": "session",
    "BreakingReference": "approvals",
    "BriefCheck": "deletion_checks",
    "BriefCheckPage": "deletion_checks",
    "BrownOut": "shared",
    "BrownOutPage": "services",
    "BrowserSession": "sessions",
    "BrowserSessionPage": "sessions",
    "BulkVoteAnswer": "approvals",
    "BulkVoteItemRequest": "approvals",
    "BulkVoteOutcome": "approvals",
    "BulkVoteRequest": "approvals",
    "Caller": "approvals",
    "CallersOfVersions": "upgrades",
    "Cell": "shared",
    "ChangeAdvice": "services",
    "ChangeDecision": "shared",
    "ChangeHookRequest": "hooks",
    "ChangePhase": "shared",
    "ChangeWaiver": "shared",
    "ChangeWay": "services",
    "ChangedLines": "services",
    "ChangedLinesPage": "services",
    "ChangedPolicy": "policies",
    "ChangedSide": "shared",
    "ChangedWindow": "windows",
    "Check": "shared",
    "CheckDifference": "approvals",
    "Claim": "services",
    "ClientUse": "services",
    "CodeRequest": "session",
    "CommentRequest": "upgrades",
    "Compatibility": "services",
    "CompatibilityFinding": "services",
    "CompatibilityQuestionRequest": "services",
    "Component": "health",
    "Conditions": "access",
    "ConditionsRequest": "access",
    "ConstraintCounts": "constraints",
    "ConstraintFinding": "constraints",
    "ConstraintWait": "constraints",
    "Constraints": "constraints",
    "Controller": "health",
    "ControllerPage": "health",
    "ConversionLoss": "services",
    "ConversionRecord": "deployments",
    "ConversionRecordPage": "deployments",
    "ConversionSession": "deployments",
    "ConversionSessionPage": "deployments",
    "ConversionStep": "deployments",
    "CopyDuration": "shared",
    "CopyPacing": "upgrades",
    "CopySource": "constraints",
    "DataTask": "upgrades",
    "Database": "deployments",
    "DeclaredObject": "declared_sets",
    "DeclaredObjectRequest": "declared_sets",
    "DeclaredObjectsRequest": "declared_sets",
    "DeclaredSet": "declared_sets",
    "DefinitionPhase": "shared",
    "DefinitionReview": "services",
    "DefinitionReviewPage": "services",
    "DefinitionRollout": "shared",
    "DefinitionRolloutPage": "services",
    "DelegateRequest": "approvals",
    "Delegation": "approvals",
    "DeletionCheck": "deletion_check",
    "DeletionRehearsal": "deletion_check",
    "DeletionWatch": "deletion_watches",
    "DeletionWatchPage": "deletion_watches",
    "Delivery": "shared",
    "DeliveryPage": "hooks",
    "Dependant": "shared",
    "Deployment": "deployments",
    "DeploymentConstraints": "constraints",
    "DeploymentImport": "deployments",
    "DeploymentPage": "deployments",
    "Deprecation": "deprecations",
    "DeprecationPage": "deprecations",
    "DryRun": "upgrades",
    "EarliestSwitch": "approvals",
    "Eta": "shared",
    "Eviction": "shared",
    "Evictions": "constraints",
    "ExampleFleet": "fleet",
    "ExcludedVoter": "approvals",
    "Explanation": "access",
    "Facet": "upgrades",
    "Facets": "upgrades",
    "FieldCandidate": "services",
    "FillingVersion": "references",
    "FillingVersionPage": "references",
    "Fleet": "fleet",
    "FleetCallers": "fleet",
    "FleetImport": "fleet",
    "FleetRegion": "fleet",
    "FleetService": "fleet",
    "FleetVersions": "fleet",
    "FleetWindows": "fleet",
    "FollowedDeployment": "overview",
    "ForecastPolicy": "shared",
    "ForecastWindow": "shared",
    "Grant": "access",
    "GroupGrants": "access",
    "GroupMember": "references",
    "GroupMemberPage": "references",
    "GroupsRequest": "access",
    "Health": "health",
    "HiddenResources": "references",
    "History": "upgrades",
    "Hook": "hooks",
    "HookPage": "hooks",
    "HookPreview": "hooks",
    "HookRulesRequest": "hooks",
    "HookWithSecret": "hooks",
    "Image": "deployments",
    "Impact": "approvals",
    "ImpactSummary": "approvals",
    "Importer": "services",
    "IncomingReference": "deletion_check",
    "InnerAnswer": "requests",
    "InnerRequestRequest": "requests",
    "KeptType": "shared",
    "KeptTypeExport": "shared",
    "KeptTypePage": "deployments",
    "KeyStates": "services",
    "KeyStrategy": "shared",
    "KeyStrategyPage": "services",
    "KeyUse": "services",
    "KeyUsePage": "services",
    "LeftOut": "rollouts",
    "ListedResource": "deployments",
    "LogSettingsRequestRequest": "deployments",
    "Logs": "deployments",
    "MethodUse": "services",
    "ModeChange": "deployments",
    "NamesToCheckRequest": "deletion_checks",
    "Need": "overview",
    "NewAccessRequestRequest": "session",
    "NewAccountRequest": "access",
    "NewBindingRequest": "access",
    "NewBrownOutRequest": "services",
    "NewChangeWaiverRequest": "services",
    "NewDefinitionRolloutRequest": "services",
    "NewHookRequest": "hooks",
    "NewKeyStrategyRequest": "services",
    "NewNotificationRuleRequest": "notices",
    "NewOnCallTurnRequest": "duty",
    "NewPasskeyRequest": "session",
    "NewPasswordRequest": "session",
    "NewPermissionRequestRequest": "asks",
    "NewPolicyRequest": "policies",
    "NewQuietHoursRequest": "notices",
    "NewRequestToPeopleRequest": "upgrades",
    "NewRoleRequest": "access",
    "NewRolloutRequest": "rollouts",
    "NewTokenRequest": "tokens",
    "NewUpgradeRequest": "upgrades",
    "NewWaiverRequest": "services",
    "NewWindowOverrideRequest": "upgrades",
    "NewWindowRequest": "windows",
    "NotificationRule": "notices",
    "NotificationSettings": "notices",
    "ObserveConversionsRequest": "deployments",
    "Occurrence": "windows",
    "OfferedAction": "deployments",
    "OnCallTurn": "shared",
    "OnCallTurnPage": "duty",
    "Operation": "shared",
    "OperationPage": "operations",
    "Overview": "overview",
    "Passkey": "session",
    "PasskeyAdded": "session",
    "PasskeyAnswerRequest": "session",
    "PasskeyNameRequest": "session",
    "PasskeyOptions": "session",
    "PasskeyPage": "session",
    "PasskeySignInRequest": "session",
    "PasswordConfirmationRequest": "session",
    "PatchedChangeAccountRequest": "access",
    "PendingDeletion": "constraints",
    "Permission": "access",
    "PermissionRequest": "asks",
    "PermissionRequestPage": "asks",
    "Phrase": "shared",
    "Policy": "policies",
    "PolicyChange": "constraints",
    "PolicyPage": "policies",
    "PolicyPreview": "policies",
    "PolicyRulesRequest": "policies",
    "PreviewHookRequest": "hooks",
    "PreviewedUpgrade": "policies",
    "Progress": "shared",
    "Proposal": "session",
    "ProposedItem": "rollouts",
    "Provider": "session",
    "QuarantineActionRequest": "upgrades",
    "QuarantinedResource": "upgrades",
    "QuarantinedResourcePage": "upgrades",
    "QuarantinedWork": "health",
    "QuarantinedWorkPage": "health",
    "QuietHours": "notices",
    "Reach": "approvals",
    "ReachableVersion": "deployments",
    "Readiness": "upgrades",
    "ReadinessApprovals": "upgrades",
    "ReferenceAudit": "constraints",
    "ReferenceEdge": "references",
    "ReferenceGroup": "references",
    "ReferenceGroups": "references",
    "ReferenceNode": "shared",
    "References": "references",
    "ReferencesAtStake": "approvals",
    "RefusedClient": "shared",
    "Region": "regions",
    "RegionPage": "regions",
    "RegionVersion": "approvals",
    "Rehearsal": "upgrades",
    "RehearsedStep": "upgrades",
    "Removal": "upgrades",
    "RemovalPage": "upgrades",
    "RemovePasskeyRequest": "session",
    "RemovedField": "services",
    "RemovedFieldPage": "services",
    "ReportCounts": "approvals",
    "ReportKey": "report_keys",
    "ReportKeyPage": "report_keys",
    "Resource": "deployments",
    "ResourceChange": "deployments",
    "ResourceChangePage": "deployments",
    "ResourceMatches": "references",
    "ResourceNameRequest": "shared",
    "ResourceType": "services",
    "Resources": "deployments",
    "RetireRequest": "services",
    "Retirement": "services",
    "RetryKeyRequest": "health",
    "Risk": "approvals",
    "Role": "access",
    "RolePage": "access",
    "RoleRulesRequest": "access",
    "Rollout": "rollouts",
    "RolloutActionRequest": "rollouts",
    "RolloutItem": "rollouts",
    "RolloutPage": "rollouts",
    "RolloutProposal": "rollouts",
    "RolloutProposalPage": "rollouts",
    "RolloutRehearsal": "rollouts",
    "RolloutRehearsalItem": "rollouts",
    "RolloutRest": "rollouts",
    "RolloutSummary": "rollouts",
    "RolloutTarget": "rollouts",
    "RolloutTargetPage": "rollouts",
    "Samples": "shared",
    "SaveViewRequest": "views",
    "SecondFactor": "session",
    "SeenClient": "shared",
    "Service": "services",
    "ServiceDeployment": "services",
    "ServiceDetail": "services",
    "ServiceFolderRequest": "services",
    "ServiceImport": "services",
    "ServicePage": "services",
    "ServiceSkew": "overview",
    "ServingPeriod": "services",
    "ServingPeriodPage": "services",
    "Session": "session",
    "SessionLimits": "session",
    "Shard": "shared",
    "ShardChanges": "upgrades",
    "ShardComparisons": "upgrades",
    "ShardCountChange": "deployments",
    "ShardTransition": "upgrades",
    "ShardTransitionPage": "upgrades",
    "Shards": "shared",
    "SheetRequest": "upgrades",
    "SheetSwitchStep": "upgrades",
    "SheetVote": "upgrades",
    "ShownZoneRequest": "session",
    "SignInAddress": "session",
    "SignInProviderPage": "session",
    "SignInRequest": "session",
    "SignedInAccount": "session",
    "SourceExcerpt": "services",
    "SpareCodes": "session",
    "Stage": "policies",
    "StageRequest": "policies",
    "StageVotes": "approvals",
    "Stall": "shared",
    "Step": "upgrades",
    "StopBrownOutRequest": "brown_outs",
    "StopDefinitionRolloutRequest": "definition_rollouts",
    "StoredCount": "shared",
    "Subscription": "constraints",
    "Switch": "overview",
    "SwitchPermission": "windows",
    "SwitchStep": "upgrades",
    "TimelineEntry": "upgrades",
    "Token": "tokens",
    "TokenPage": "tokens",
    "TokenWithSecret": "tokens",
    "Transition": "upgrades",
    "TypeChange": "services",
    "UnansweredDeployment": "shared",
    "UnfulfilledRequest": "upgrades",
    "UnreachableDeployment": "rollouts",
    "Upgrade": "upgrades",
    "UpgradeActionRequest": "upgrades",
    "UpgradeCounts": "overview",
    "UpgradeEventPage": "upgrades",
    "UpgradeForecast": "shared",
    "UpgradeMilestoneRequest": "upgrades",
    "UpgradePage": "upgrades",
    "UpgradeSelector": "policies",
    "UpgradeSelectorRequest": "policies",
    "UpgradeSummary": "shared",
    "Usage": "services",
    "UsedPlace": "services",
    "UsedPlacePage": "services",
    "VersionCallers": "upgrades",
    "VersionCount": "overview",
    "VersionUse": "services",
    "VersionView": "deployments",
    "View": "views",
    "ViewPage": "views",
    "Vote": "shared",
    "VoteCommentRequest": "shared",
    "Waiver": "shared",
    "WaiverPage": "shared",
    "Warnings": "shared",
    "Week": "overview",
    "Window": "windows",
    "WindowOpening": "overview",
    "WindowOutlook": "fleet",
    "WindowOverride": "upgrades",
    "WindowPage": "windows",
    "WindowRulesRequest": "windows",
    "WindowSpan": "windows",
    "WindowSpanPage": "windows",
    "WorkClass": "health",
    "WorseCheck": "approvals",
}


def __getattr__(name: str) -> Any:
    """Import the module of a type when the type is asked for."""
    module = MODULES.get(name)
    if module is None:
        raise AttributeError(f"switchyard_client.models has no {name}")
    return getattr(import_module(f"switchyard_client.models.{module}"), name)


def __dir__() -> list[str]:
    """Name the types."""
    return sorted(MODULES)
