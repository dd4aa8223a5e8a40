"""Every operation of `/api/v1`, by its id in the OpenAPI document.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from switchyard_client.operations.access import AccessOperations, AsyncAccessOperations
from switchyard_client.operations.approvals import ApprovalsOperations, AsyncApprovalsOperations
from switchyard_client.operations.asks import AsksOperations, AsyncAsksOperations
from switchyard_client.operations.audit import AsyncAuditOperations, AuditOperations
from switchyard_client.operations.brown_outs import AsyncBrownOutsOperations, BrownOutsOperations
from switchyard_client.operations.constraints import AsyncConstraintsOperations, ConstraintsOperations
from switchyard_client.operations.declared_sets import AsyncDeclaredSetsOperations, DeclaredSetsOperations
from switchyard_client.operations.definition_rollouts import (
    AsyncDefinitionRolloutsOperations,
    DefinitionRolloutsOperations,
)
from switchyard_client.operations.deletion_check import AsyncDeletionCheckOperations, DeletionCheckOperations
from switchyard_client.operations.deletion_checks import (
    AsyncDeletionChecksOperations,
    DeletionChecksOperations,
)
from switchyard_client.operations.deletion_watches import (
    AsyncDeletionWatchesOperations,
    DeletionWatchesOperations,
)
from switchyard_client.operations.deployments import AsyncDeploymentsOperations, DeploymentsOperations
from switchyard_client.operations.deprecations import AsyncDeprecationsOperations, DeprecationsOperations
from switchyard_client.operations.duty import AsyncDutyOperations, DutyOperations
from switchyard_client.operations.emergencies import AsyncEmergenciesOperations, EmergenciesOperations
from switchyard_client.operations.evictions import AsyncEvictionsOperations, EvictionsOperations
from switchyard_client.operations.fleet import AsyncFleetOperations, FleetOperations
from switchyard_client.operations.health import AsyncHealthOperations, HealthOperations
from switchyard_client.operations.hooks import AsyncHooksOperations, HooksOperations
from switchyard_client.operations.key_strategies import AsyncKeyStrategiesOperations, KeyStrategiesOperations
from switchyard_client.operations.notices import AsyncNoticesOperations, NoticesOperations
from switchyard_client.operations.operations import AsyncOperationsOperations, OperationsOperations
from switchyard_client.operations.overview import AsyncOverviewOperations, OverviewOperations
from switchyard_client.operations.policies import AsyncPoliciesOperations, PoliciesOperations
from switchyard_client.operations.references import AsyncReferencesOperations, ReferencesOperations
from switchyard_client.operations.regions import AsyncRegionsOperations, RegionsOperations
from switchyard_client.operations.report_keys import AsyncReportKeysOperations, ReportKeysOperations
from switchyard_client.operations.requests import AsyncRequestsOperations, RequestsOperations
from switchyard_client.operations.rollouts import AsyncRolloutsOperations, RolloutsOperations
from switchyard_client.operations.services import AsyncServicesOperations, ServicesOperations
from switchyard_client.operations.session import AsyncSessionOperations, SessionOperations
from switchyard_client.operations.sessions import AsyncSessionsOperations, SessionsOperations
from switchyard_client.operations.tokens import AsyncTokensOperations, TokensOperations
from switchyard_client.operations.upgrades import AsyncUpgradesOperations, UpgradesOperations
from switchyard_client.operations.views import AsyncViewsOperations, ViewsOperations
from switchyard_client.operations.waivers import AsyncWaiversOperations, WaiversOperations
from switchyard_client.operations.windows import AsyncWindowsOperations, WindowsOperations


class Operations(
    AccessOperations,
    ApprovalsOperations,
    AsksOperations,
    AuditOperations,
    BrownOutsOperations,
    ConstraintsOperations,
    DeclaredSetsOperations,
    DefinitionRolloutsOperations,
    DeletionCheckOperations,
    DeletionChecksOperations,
    DeletionWatchesOperations,
    DeploymentsOperations,
    DeprecationsOperations,
    DutyOperations,
    EmergenciesOperations,
    EvictionsOperations,
    FleetOperations,
    HealthOperations,
    HooksOperations,
    KeyStrategiesOperations,
    NoticesOperations,
    OperationsOperations,
    OverviewOperations,
    PoliciesOperations,
    ReferencesOperations,
    RegionsOperations,
    ReportKeysOperations,
    RequestsOperations,
    RolloutsOperations,
    ServicesOperations,
    SessionOperations,
    SessionsOperations,
    TokensOperations,
    UpgradesOperations,
    ViewsOperations,
    WaiversOperations,
    WindowsOperations,
):
    """Every operation."""


class AsyncOperations(
    AsyncAccessOperations,
    AsyncApprovalsOperations,
    AsyncAsksOperations,
    AsyncAuditOperations,
    AsyncBrownOutsOperations,
    AsyncConstraintsOperations,
    AsyncDeclaredSetsOperations,
    AsyncDefinitionRolloutsOperations,
    AsyncDeletionCheckOperations,
    AsyncDeletionChecksOperations,
    AsyncDeletionWatchesOperations,
    AsyncDeploymentsOperations,
    AsyncDeprecationsOperations,
    AsyncDutyOperations,
    AsyncEmergenciesOperations,
    AsyncEvictionsOperations,
    AsyncFleetOperations,
    AsyncHealthOperations,
    AsyncHooksOperations,
    AsyncKeyStrategiesOperations,
    AsyncNoticesOperations,
    AsyncOperationsOperations,
    AsyncOverviewOperations,
    AsyncPoliciesOperations,
    AsyncReferencesOperations,
    AsyncRegionsOperations,
    AsyncReportKeysOperations,
    AsyncRequestsOperations,
    AsyncRolloutsOperations,
    AsyncServicesOperations,
    AsyncSessionOperations,
    AsyncSessionsOperations,
    AsyncTokensOperations,
    AsyncUpgradesOperations,
    AsyncViewsOperations,
    AsyncWaiversOperations,
    AsyncWindowsOperations,
):
    """Every operation, awaited."""
