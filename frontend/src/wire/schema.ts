/** Written by `npm run wire` from docs/reference/openapi.yaml. */

export interface paths {
    "/access/accounts": {
        /** @description List the accounts. */
        get: operations["accounts"];
        /** @description Create an account. */
        post: operations["create_account"];
    };
    "/access/accounts/{name}": {
        /** @description Open or close an account, give it a new password, or take away the second factors that it lost. */
        patch: operations["change_account"];
    };
    "/access/bindings": {
        /** @description List the role bindings. */
        get: operations["bindings"];
        /** @description Give a role; where the subject holds it within this scope, only its end and its conditions change. */
        put: operations["apply_binding"];
        /** @description Give a role. */
        post: operations["bind_role"];
    };
    "/access/bindings/{binding}": {
        /** @description Show a role binding. */
        get: operations["binding"];
        /** @description Give a role other bounds. */
        put: operations["rebind_role"];
        /** @description Take a role away. */
        delete: operations["unbind_role"];
    };
    "/access/explain": {
        /** @description Explain a decision. */
        post: operations["explain_access"];
    };
    "/access/groups": {
        /** @description Tell which roles an account with these groups, or with this token of the provider, would hold. */
        post: operations["test_groups"];
    };
    "/access/requests": {
        /** @description List who asks for access and has no answer yet. */
        get: operations["access_requests"];
    };
    "/access/requests/{id}": {
        /** @description Give who asked a role, or refuse with an answer. */
        post: operations["decide_access"];
    };
    "/access/roles": {
        /** @description List the roles. */
        get: operations["roles"];
        /** @description Make a role, of permissions that you hold everywhere yourself. */
        post: operations["make_role"];
    };
    "/access/roles/{role}": {
        /** @description Show a role. */
        get: operations["role"];
        /** @description Make a role, or change one that was made: at once, for everybody who holds it. */
        put: operations["change_role"];
        /** @description Take a role away that no account holds and no policy asks. */
        delete: operations["delete_role"];
    };
    "/approvals": {
        /** @description List requests: those that need me, those I asked for, all open ones, those decided. */
        get: operations["approvals"];
    };
    "/approvals/{id}": {
        /** @description Show a request; its ETag is the digest of the evidence, which a vote must name. */
        get: operations["approval"];
    };
    "/approvals/{id}/answer": {
        /** @description Answer the changes that were asked for: a new round begins, in which everybody may vote again. */
        post: operations["answer_changes"];
    };
    "/approvals/{id}/approve": {
        /** @description Vote for the evidence that If-Match names. */
        post: operations["approvals_approve_create"];
    };
    "/approvals/{id}/delegate": {
        /** @description Let another person vote in one's place; naming oneself takes it back. */
        post: operations["delegate_vote"];
    };
    "/approvals/{id}/reject": {
        /** @description Vote for the evidence that If-Match names. */
        post: operations["approvals_reject_create"];
    };
    "/approvals/{id}/request-changes": {
        /** @description Vote for the evidence that If-Match names. */
        post: operations["approvals_request_changes_create"];
    };
    "/approvals:approve": {
        /** @description Approve one change in several places, where its risk is low; one refused stops no other. */
        post: operations["approve_together"];
    };
    "/asks": {
        /** @description List what you asked for, and what is asked of you. */
        get: operations["asks"];
        /** @description Ask those who may; it stands on their overview for a week. */
        post: operations["ask"];
    };
    "/asks/{id}": {
        /** @description Put away what was asked for: done, refused or no longer wanted. */
        delete: operations["settle_ask"];
    };
    "/audit": {
        /** @description List entries, newest first. */
        get: operations["audit"];
    };
    "/audit/chain": {
        /** @description Verify the whole chain, also against the signed heads that this process can read. */
        get: operations["audit_chain"];
        /** @description Verify the whole chain against signed heads that were kept elsewhere; changes nothing. */
        post: operations["compare_audit_chain"];
    };
    "/audit/export": {
        /** @description Take the matching entries away, oldest first; the export is noted in the ledger. */
        get: operations["export_audit"];
    };
    "/brown-outs/{id}/approve": {
        /** @description Approve a brown-out that another person requested, where a policy asks for it. */
        post: operations["approve_brown_out"];
    };
    "/brown-outs/{id}/stop": {
        /** @description Stop a brown-out: no request is refused a second later. */
        post: operations["stop_brown_out"];
    };
    "/constraints": {
        /** @description Tell what deployments have under way with each other. */
        get: operations["constraints"];
    };
    "/constraints/{service}/{region}": {
        /** @description Tell what one deployment has under way with others. */
        get: operations["deployment_constraints"];
    };
    "/constraints/{service}/{region}/audit": {
        /** @description Compare what a deployment refers to, and keeps copies of, with what is there. */
        get: operations["audit_references"];
    };
    "/constraints/{service}/{region}/evictions": {
        /** @description List the evictions of a deployment. */
        get: operations["evictions"];
        /** @description Ask for the eviction of a deployment that does not answer. */
        post: operations["evict"];
    };
    "/declared-sets/{owner}": {
        /** @description Tell what you made under an owner label by declaring it. */
        get: operations["declared_set"];
        /** @description Keep what you made under an owner label, in place of what was kept before. */
        put: operations["keep_declared_set"];
    };
    "/definition-rollouts/{id}/pause": {
        /** @description Apply no further definition until it is started again. */
        post: operations["pause_definition_rollout"];
    };
    "/definition-rollouts/{id}/start": {
        /** @description Begin the first phase, or go on after a pause. */
        post: operations["start_definition_rollout"];
    };
    "/definition-rollouts/{id}/stop": {
        /** @description End it: the definition that is served stays. */
        post: operations["stop_definition_rollout"];
    };
    "/deletion-check": {
        /** @description Tell whether a resource may be deleted, and what goes with it. */
        get: operations["deletion_check"];
    };
    "/deletion-check/rehearsals": {
        /** @description Delete a resource in a transaction that is taken back, and tell what came of it. */
        post: operations["rehearse_deletion"];
    };
    "/deletion-checks": {
        /** @description Tell of many resources whether they may be deleted; nothing is changed. */
        post: operations["deletion_checks"];
    };
    "/deletion-watches": {
        /** @description List what you wait for. */
        get: operations["deletion_watches"];
        /** @description Wait until nothing blocks the deletion of a resource; you are told then. */
        post: operations["watch_deletion"];
    };
    "/deletion-watches/{id}": {
        /** @description Wait no longer, or put away what was told. */
        delete: operations["end_deletion_watch"];
    };
    "/deployments": {
        /** @description List deployments by name. */
        get: operations["deployments"];
    };
    "/deployments/{service}/{region}": {
        /** @description Show one deployment. */
        get: operations["deployment"];
        /** @description Register the deployment, or change what the body names of it; again is the same as once. */
        put: operations["apply_deployment"];
        /** @description Remove a deployment that nothing stands on. */
        delete: operations["delete_deployment"];
    };
    "/deployments/{service}/{region}/activity": {
        /** @description List the requests that were answered, the newest first: all writes, and a share of the reads. */
        get: operations["activity"];
    };
    "/deployments/{service}/{region}/conversion-sessions": {
        /** @description List the newest sessions. */
        get: operations["conversion_sessions"];
        /** @description Record the conversions of a client or of a resource for a while; the audit log says who did. */
        post: operations["observe_conversions"];
    };
    "/deployments/{service}/{region}/conversion-sessions/{id}": {
        /** @description Show one session. */
        get: operations["conversion_session"];
        /** @description End a session; what it recorded stays. */
        delete: operations["end_conversion_session"];
    };
    "/deployments/{service}/{region}/conversion-sessions/{id}/records": {
        /** @description List what a session recorded, in order. */
        get: operations["recorded_conversions"];
    };
    "/deployments/{service}/{region}/kept-types": {
        /** @description List the types that a deployment keeps of other versions, and whether they were exported. */
        get: operations["kept_types"];
    };
    "/deployments/{service}/{region}/kept-types/{type}/{version}/export": {
        /** @description Export the resources, a JSON document per line, as their version shows them; a whole export is noted. */
        get: operations["export_kept_type"];
    };
    "/deployments/{service}/{region}/logs": {
        /** @description Show what the logs of a deployment keep, and what is known to be missing. */
        get: operations["logs"];
        /** @description Set which share of reads is logged, and how long entries are kept. */
        put: operations["set_logs"];
    };
    "/deployments/{service}/{region}/resource": {
        /** @description Show one resource in each version, with its bags and the steps of its conversions. */
        get: operations["resource"];
    };
    "/deployments/{service}/{region}/resource-changes": {
        /** @description List what clients changed, the newest first, in every version that the deployment stored. */
        get: operations["resource_changes"];
    };
    "/deployments/{service}/{region}/resources": {
        /** @description List resources as one version shows them. */
        get: operations["resources"];
    };
    "/deployments/{service}/{region}/samples": {
        /** @description Give the curves of its upgrades within the last day. */
        get: operations["deployment_samples"];
    };
    "/deployments/{service}/{region}/subscription": {
        /** @description Follow it: its changes are told to the caller, on the overview and as notices. */
        put: operations["follow_deployment"];
        /** @description Follow it no longer. */
        delete: operations["unfollow_deployment"];
    };
    "/deployments/{service}/{region}/switch": {
        /** @description Let a deployment whose data another system moves switch, once its shards are ready and people agree. */
        post: operations["switch_deployment"];
    };
    "/deprecations": {
        /** @description List what goes away, calls of this API first. */
        get: operations["deprecations"];
    };
    "/duty": {
        /** @description List who is on duty. */
        get: operations["duty"];
        /** @description Be on duty for so many hours from now. */
        put: operations["take_duty"];
        /** @description Be off duty. */
        delete: operations["leave_duty"];
    };
    "/emergencies": {
        /** @description List the emergencies that went on without votes, newest first. */
        get: operations["emergencies"];
    };
    "/emergencies/{id}/review": {
        /** @description Close the review of an emergency. */
        post: operations["review_emergency"];
    };
    "/evictions/{id}": {
        /** @description Show a request; its ETag is the digest of what is agreed to, which a vote must name. */
        get: operations["eviction"];
    };
    "/evictions/{id}/approve": {
        /** @description Vote for what If-Match names; the last vote that is needed evicts the deployment. */
        post: operations["evictions_approve_create"];
    };
    "/evictions/{id}/reject": {
        /** @description Vote for what If-Match names; the last vote that is needed evicts the deployment. */
        post: operations["evictions_reject_create"];
    };
    "/fleet": {
        /** @description Show regions, services and deployments. */
        get: operations["fleet"];
    };
    "/fleet/callers": {
        /** @description Count the clients that call versions before the newest, by service and region. */
        get: operations["fleet_callers"];
    };
    "/fleet/example": {
        /** @description Register the example fleet; what is there already stays as it is. */
        post: operations["load_example_fleet"];
    };
    "/fleet/versions": {
        /** @description Tell when each version of each service was served for the first time. */
        get: operations["fleet_versions"];
    };
    "/fleet/windows": {
        /** @description Tell of every deployment when it may switch next. */
        get: operations["fleet_windows"];
    };
    "/health": {
        /** @description Tell how the system is. */
        get: operations["health"];
    };
    "/health/controllers": {
        /** @description List the controllers by region. */
        get: operations["controllers"];
    };
    "/health/quarantined-work": {
        /** @description List the quarantined keys. */
        get: operations["quarantined_work"];
        /** @description Let a quarantined key go on. */
        post: operations["retry_work"];
    };
    "/hooks": {
        /** @description List the webhooks. */
        get: operations["hooks"];
        /** @description Make a webhook; its secret is shown this once. */
        post: operations["create_hook"];
    };
    "/hooks/{id}": {
        /** @description Show a webhook. */
        get: operations["hook"];
        /** @description Change a webhook. */
        put: operations["change_hook"];
        /** @description Remove a webhook and the log of its deliveries. */
        delete: operations["delete_hook"];
    };
    "/hooks/{id}/deliveries": {
        /** @description List the deliveries, newest first. */
        get: operations["deliveries"];
    };
    "/hooks/{id}/deliveries/{delivery}/replay": {
        /** @description Send a delivery again, under the same number. */
        post: operations["replay_delivery"];
    };
    "/hooks/{id}/rotate": {
        /** @description Give a new secret; for a day messages are signed with both. */
        post: operations["rotate_hook"];
    };
    "/hooks/{id}/test": {
        /** @description Send a test message. */
        post: operations["test_hook"];
    };
    "/hooks/by-name/{name}": {
        /** @description Show the webhook of a name. */
        get: operations["named_hook"];
        /** @description Set a webhook by its name; the secret of one that is created is shown this once. */
        put: operations["apply_hook"];
    };
    "/hooks/preview": {
        /** @description Show how a channel would be told of the newest event it wants. */
        post: operations["preview_hook"];
    };
    "/key-strategies/{id}/end": {
        /** @description End a strategy before its time: that of the deployment applies again. */
        post: operations["end_key_strategy"];
    };
    "/notices": {
        /** @description Show one's own rules of being told. */
        get: operations["notices"];
        /** @description Make a rule: events that come by mail, at once or gathered. */
        post: operations["add_notice"];
    };
    "/notices/{id}": {
        /** @description Change a rule of one's own. */
        put: operations["change_notice"];
        /** @description Take a rule away. */
        delete: operations["delete_notice"];
    };
    "/notices/hours": {
        /** @description Say when one wants to be told, and when to be left alone. */
        put: operations["set_notice_hours"];
    };
    "/operations": {
        /** @description List operations, newest first, such as those that one request began. */
        get: operations["operations"];
    };
    "/operations/{id}": {
        /**
         * @description Give one operation; with `wait`, once it has ended or is newer than the revision that was seen.
         *
         *     While it runs, `Retry-After` says after how many seconds to ask again.
         */
        get: operations["operation"];
    };
    "/overview": {
        /** @description Give the overview. */
        get: operations["overview"];
    };
    "/policies": {
        /** @description List the policies. */
        get: operations["policies"];
        /** @description Set a new policy; open requests are asked again under what then counts. */
        post: operations["create_policy"];
    };
    "/policies/{name}": {
        /** @description Show a policy. */
        get: operations["policy"];
        /** @description Set a policy, created where there is none; open requests are asked again under what then counts. */
        put: operations["change_policy"];
        /** @description Remove a policy; a dry run says what that would mean. */
        delete: operations["delete_policy"];
    };
    "/policies/explain": {
        /** @description Tell which policy counts for a deployment. */
        get: operations["explain_policy"];
    };
    "/policies/preview": {
        /** @description Tell which of the last 50 upgrades a policy matches and would have decided, and who could vote. */
        post: operations["preview_policy"];
    };
    "/references": {
        /** @description Show what refers to a resource and what it refers to. */
        get: operations["references"];
    };
    "/references/building": {
        /** @description Tell how far the references are of versions that are copied to and not served yet. */
        get: operations["references_building"];
    };
    "/references/groups": {
        /** @description Count what refers to a resource and what it refers to, by deployment, type, field and rule. */
        get: operations["reference_groups"];
    };
    "/references/groups/members": {
        /** @description List the single references of a group. */
        get: operations["reference_group_members"];
    };
    "/references/search": {
        /** @description Find resources by name, kind, deployment or version, to look at what refers to them. */
        get: operations["find_resources"];
    };
    "/regions": {
        /** @description List the regions. */
        get: operations["regions"];
    };
    "/report-keys": {
        /** @description List the public keys that shared run sheets are verified with, the current one first. */
        get: operations["report_keys"];
    };
    "/requests:batch": {
        /**
         * @description Carry several writes out in one transaction: all of them, or none.
         *
         *     A refusal is answered as the write itself would be, with `failed_request`, its place in the list.
         */
        post: operations["send_requests"];
    };
    "/rollouts": {
        /** @description List rollouts, newest first. */
        get: operations["rollouts"];
        /** @description Plan a rollout, all of it or nothing; a dry run judges every deployment. */
        post: operations["plan_rollout"];
    };
    "/rollouts/{id}": {
        /** @description Show a rollout. */
        get: operations["rollout"];
    };
    "/rollouts/{id}/pause": {
        /** @description `/rollouts/{id}/pause`. */
        post: operations["pause_rollout"];
    };
    "/rollouts/{id}/proposal": {
        /** @description Tell whether the waves that did not begin still hold, and propose the ones that would. */
        get: operations["rollout_rest"];
    };
    "/rollouts/{id}/replan": {
        /** @description `/rollouts/{id}/replan`. */
        post: operations["replan_rollout"];
    };
    "/rollouts/{id}/resume": {
        /** @description `/rollouts/{id}/resume`. */
        post: operations["resume_rollout"];
    };
    "/rollouts/{id}/retry": {
        /** @description `/rollouts/{id}/retry`. */
        post: operations["retry_rollout"];
    };
    "/rollouts/{id}/rollback": {
        /** @description `/rollouts/{id}/rollback`. */
        post: operations["rollback_rollout"];
    };
    "/rollouts/{id}/skip": {
        /** @description `/rollouts/{id}/skip`. */
        post: operations["skip_rollout"];
    };
    "/rollouts/{id}/start": {
        /** @description `/rollouts/{id}/start`. */
        post: operations["start_rollout"];
    };
    "/rollouts/{id}/stop": {
        /** @description `/rollouts/{id}/stop`. */
        post: operations["stop_rollout"];
    };
    "/rollouts/proposals": {
        /** @description Propose waves for deployments that shall move to a version: balanced, fastest and safest. */
        get: operations["rollout_proposals"];
    };
    "/rollouts/targets": {
        /** @description Tell to which versions some deployments can go together, and what keeps them from the others. */
        get: operations["rollout_targets"];
    };
    "/services": {
        /** @description List services by name. */
        get: operations["services"];
        /** @description Apply a service folder; again is the same as once. */
        post: operations["apply_service"];
    };
    "/services/{name}": {
        /** @description Show one service. */
        get: operations["service"];
    };
    "/services/{name}/changeWaivers": {
        /** @description Ask that a change in place be let through until a day, for one apply. */
        post: operations["waive_change"];
    };
    "/services/{name}/compatibility": {
        /** @description Compare two versions. */
        get: operations["compatibility"];
    };
    "/services/{name}/compatibility/lines": {
        /** @description Show for each place of the report how its author wrote it in both versions. */
        get: operations["changed_lines"];
    };
    "/services/{name}/compatibility/removedFields": {
        /** @description List the fields without counterpart of every edge between two versions, with the fields they may have become. */
        get: operations["removed_fields"];
    };
    "/services/{name}/compatibility:run": {
        /** @description Compare two versions by a worker; the operation tells how far it is, and ends with verdict and report. */
        post: operations["run_compatibility"];
    };
    "/services/{name}/definition-rollouts": {
        /** @description List the rollouts of definitions of a service with their phases, newest first. */
        get: operations["definition_rollouts"];
        /** @description Plan the phases of a definition that neither servers nor clients can change alone, and start them. */
        post: operations["plan_definition_rollout"];
    };
    "/services/{name}/definitionReviews": {
        /** @description List the newest fifty definitions that were applied or refused, newest first. */
        get: operations["definition_reviews"];
    };
    "/services/{name}/schemas/{version}": {
        /** @description Show the schema of a version, as the document that it could be applied from. */
        get: operations["service_schema"];
    };
    "/services/{name}/timeline": {
        /** @description List which region served which version from when until when, region by region. */
        get: operations["service_timeline"];
    };
    "/services/{name}/usage": {
        /** @description Show who uses which version of a service. */
        get: operations["usage"];
    };
    "/services/{name}/usage/brown-outs": {
        /** @description List the brown-outs of a service with what they refused, newest first. */
        get: operations["brown_outs"];
        /** @description Refuse a share of the requests that use something deprecated, between two moments; it is announced. */
        post: operations["request_brown_out"];
    };
    "/services/{name}/usage/deadlines": {
        /** @description Announce the removal of something to the channels that hear `usage.deadline`, with the clients that use it. */
        post: operations["announce_deadline"];
    };
    "/services/{name}/usage/key-strategies": {
        /** @description List the strategies of single unknown keys of a service, newest first. */
        get: operations["key_strategies"];
        /** @description Say what is done with one unknown key until an end; it takes the place of the strategy in force. */
        post: operations["set_key_strategy"];
    };
    "/services/{name}/usage/keys": {
        /** @description Show how each key of a version's messages was sent. */
        get: operations["usage_keys"];
    };
    "/services/{name}/usage/places": {
        /** @description List a version, its resource types and their fields with who uses them and when they may go. */
        get: operations["used_places"];
    };
    "/services/{name}/versions/{version}/retirement": {
        /** @description Set the day from which a version is no longer meant to be used, or take it back. */
        put: operations["retire_version"];
    };
    "/services/{name}/waivers": {
        /** @description List the waivers of a service, newest first. */
        get: operations["waivers"];
        /** @description Ask that a finding be accepted until a day. */
        post: operations["ask_waiver"];
    };
    "/session": {
        /** @description Tell who is signed in, and what a page needs to begin. */
        get: operations["session"];
        /** @description Sign in with a name and a password. */
        post: operations["sign_in"];
        /** @description Sign out; harmless without a session. */
        delete: operations["sign_out"];
    };
    "/session/access": {
        /** @description Tell who could give you access, and what became of asking. */
        get: operations["way_to_access"];
        /** @description Ask for access; it stands on the overview of those who manage it. */
        post: operations["request_access"];
    };
    "/session/passkey": {
        /** @description Sign in with a local account's passkey, which takes the place of password and second factor. */
        post: operations["sign_in_by_passkey"];
    };
    "/session/passkey/ask": {
        /** @description Ask the browser for one's own passkey; without a session, for any account's. */
        post: operations["ask_passkey"];
    };
    "/session/passkey/proof": {
        /** @description Show again that it is you, for a critical decision within five minutes. */
        post: operations["prove_by_passkey"];
    };
    "/session/passkeys": {
        /** @description List one's own passkeys. */
        get: operations["passkeys"];
        /** @description Keep the passkey that the browser made for what `/session/passkeys/ask` gave. */
        post: operations["add_passkey"];
    };
    "/session/passkeys/{id}": {
        /** @description Give it another name. */
        put: operations["name_passkey"];
    };
    "/session/passkeys/{id}/remove": {
        /** @description Remove it, for one's passkey or a code. */
        post: operations["remove_passkey"];
    };
    "/session/passkeys/ask": {
        /** @description Begin to add one, within five minutes of showing who one is. */
        post: operations["ask_new_passkey"];
    };
    "/session/password": {
        /** @description Change one's own password; this session goes on, every other one ends. */
        put: operations["change_password"];
    };
    "/session/proof": {
        /** @description Show again that it is you, for a critical decision within five minutes. */
        post: operations["prove"];
    };
    "/session/providers": {
        /** @description Tell whether the identity providers answer, as asked at most every 15 seconds. */
        get: operations["sign_in_providers"];
    };
    "/session/totp": {
        /** @description Tell whether one is set up. */
        get: operations["second_factor"];
        /** @description Set it up by showing its code. */
        put: operations["set_second_factor"];
        /** @description Make a secret. */
        post: operations["propose_second_factor"];
    };
    "/session/totp/drop": {
        /** @description Give it up, for a code that it shows or a spare one. */
        post: operations["drop_second_factor"];
    };
    "/session/zone": {
        /** @description Choose the time zone that the console shows, in every browser one signs in with. */
        put: operations["choose_zone"];
    };
    "/sessions": {
        /** @description List where one is signed in, the newest first; with `?all=true` everybody. */
        get: operations["sessions"];
    };
    "/sessions/{id}": {
        /** @description Sign a browser out; one's own, or any account's for accounts that manage access. */
        delete: operations["end_session"];
    };
    "/tokens": {
        /** @description List own tokens; with `?all=true` everybody's. */
        get: operations["tokens"];
        /** @description Make a token. */
        post: operations["issue_token"];
    };
    "/tokens/{token}": {
        /** @description Revoke a token. */
        delete: operations["revoke_token"];
    };
    "/upgrades": {
        /** @description List upgrades, newest first or as `sort` says. */
        get: operations["upgrades"];
        /** @description Plan an upgrade, and start it when asked to; a dry run says what it would do. */
        post: operations["plan_upgrade"];
    };
    "/upgrades/{id}": {
        /** @description Show an upgrade, or wait for a newer revision of it first. */
        get: operations["upgrade"];
    };
    "/upgrades/{id}/abort": {
        /** @description `/upgrades/{id}/abort`. */
        post: operations["abort_upgrade"];
    };
    "/upgrades/{id}/ask": {
        /** @description Ask those who may for an action that one may not take oneself. */
        post: operations["ask_people"];
        /** @description Put away what was asked for of this upgrade: done, refused or no longer wanted. */
        delete: operations["settle_asked"];
    };
    "/upgrades/{id}/break-glass": {
        /** @description `/upgrades/{id}/break-glass`. */
        post: operations["break_glass_upgrade"];
    };
    "/upgrades/{id}/complete": {
        /** @description `/upgrades/{id}/complete`. */
        post: operations["complete_upgrade"];
    };
    "/upgrades/{id}/edit": {
        /** @description `/upgrades/{id}/edit`. */
        post: operations["edit_upgrade"];
    };
    "/upgrades/{id}/enable-reverse-replication": {
        /** @description `/upgrades/{id}/enable-reverse-replication`. */
        post: operations["enable_reverse_replication_upgrade"];
    };
    "/upgrades/{id}/events": {
        /** @description Tell the story, oldest first. */
        get: operations["upgrade_events"];
        /** @description Comment on the upgrade; the comment is a line of its story. */
        post: operations["comment_upgrade"];
    };
    "/upgrades/{id}/extend": {
        /** @description `/upgrades/{id}/extend`. */
        post: operations["extend_upgrade"];
    };
    "/upgrades/{id}/history": {
        /** @description Show what was recorded of an upgrade, to draw it to scale and to replay it. */
        get: operations["upgrade_history"];
    };
    "/upgrades/{id}/pause": {
        /** @description `/upgrades/{id}/pause`. */
        post: operations["pause_upgrade"];
    };
    "/upgrades/{id}/quarantine": {
        /** @description List what could not be carried over. */
        get: operations["upgrade_quarantine"];
        /** @description Have a quarantined resource tried again, or exclude it by name. */
        post: operations["resolve_quarantined"];
    };
    "/upgrades/{id}/removals": {
        /** @description List what the new version does not have: how much is stored, who calls it, and who accepted it. */
        get: operations["upgrade_removals"];
    };
    "/upgrades/{id}/report": {
        /** @description Tell everything about an upgrade in one document. */
        get: operations["upgrade_report"];
    };
    "/upgrades/{id}/request-approval": {
        /** @description `/upgrades/{id}/request-approval`. */
        post: operations["request_approval_upgrade"];
    };
    "/upgrades/{id}/resume": {
        /** @description `/upgrades/{id}/resume`. */
        post: operations["resume_upgrade"];
    };
    "/upgrades/{id}/retry-shard": {
        /** @description `/upgrades/{id}/retry-shard`. */
        post: operations["retry_shard_upgrade"];
    };
    "/upgrades/{id}/rollback": {
        /** @description `/upgrades/{id}/rollback`. */
        post: operations["rollback_upgrade"];
    };
    "/upgrades/{id}/run-sheet": {
        /** @description Give the run sheet as of a moment as a signed file; that it was shared is noted in the audit log. */
        get: operations["upgrade_run_sheet"];
    };
    "/upgrades/{id}/samples": {
        /** @description Give the curves. */
        get: operations["upgrade_samples"];
    };
    "/upgrades/{id}/settle": {
        /** @description `/upgrades/{id}/settle`. */
        post: operations["settle_upgrade"];
    };
    "/upgrades/{id}/shards/{shard}/turns": {
        /** @description Tell how one shard came to where it is, oldest first. */
        get: operations["shard_turns"];
    };
    "/upgrades/{id}/start": {
        /** @description `/upgrades/{id}/start`. */
        post: operations["start_upgrade"];
    };
    "/upgrades/{id}/switch": {
        /** @description `/upgrades/{id}/switch`. */
        post: operations["switch_upgrade"];
    };
    "/upgrades/{id}/throttle": {
        /** @description `/upgrades/{id}/throttle`. */
        post: operations["throttle_upgrade"];
    };
    "/upgrades/{id}/wait": {
        /** @description Wait until the upgrade is ready to switch, switched or complete: by an operation, the same when repeated. */
        post: operations["await_upgrade"];
    };
    "/upgrades/{id}/window-override": {
        /** @description Let one upgrade go past the windows and freezes in its way, for an hour. */
        post: operations["override_window"];
    };
    "/upgrades/facets": {
        /** @description Count upgrades by what lists can be narrowed to; each count leaves its own filter out. */
        get: operations["upgrade_facets"];
    };
    "/upgrades:batch": {
        /** @description Plan several upgrades, and start those that ask for it; one refused does not stop the others. */
        post: operations["plan_upgrades"];
    };
    "/views/{page}": {
        /** @description List one's own views of a page, and those that others share. */
        get: operations["views"];
    };
    "/views/{page}/{name}": {
        /** @description Give a view of one's own, or one that others share; 410 where that was forgotten. */
        get: operations["view"];
        /** @description Keep a view of one's own, in place of the one of this name. */
        put: operations["save_view"];
        /** @description Forget a view of one's own. */
        delete: operations["forget_view"];
    };
    "/waivers": {
        /** @description List waivers of all services: those that need me, those I asked for, all open ones, those decided. */
        get: operations["waiver_inbox"];
    };
    "/waivers/{id}/approve": {
        /** @description Let a waiver count; the one who asked for it cannot. */
        post: operations["approve_waiver"];
    };
    "/waivers/{id}/end": {
        /** @description End a waiver before its time, or refuse it. */
        post: operations["end_waiver"];
    };
    "/windows": {
        /** @description List windows and freezes with their next ten openings. */
        get: operations["windows"];
        /** @description Set a new window or freeze; a dry run previews its openings and what it would hold back. */
        post: operations["create_window"];
    };
    "/windows/{name}": {
        /** @description Show a window or freeze with its next ten openings. */
        get: operations["window"];
        /** @description Set a window or freeze: created where there is none, and kept as it is where it is so already. */
        put: operations["change_window"];
        /** @description Remove a window or freeze; a dry run says what that would mean. */
        delete: operations["delete_window"];
    };
    "/windows/ahead": {
        /** @description Part the next seven days of a deployment by the rule that wins. */
        get: operations["windows_ahead"];
    };
    "/windows/explain": {
        /** @description Tell whether a deployment may switch at an instant, and by which rule. */
        get: operations["explain_window"];
    };
}
export interface operations {
    accounts: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AccountPage"];
                };
            };
        };
    };
    create_account: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccountRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    change_account: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchedChangeAccountRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    bindings: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BindingPage"];
                };
            };
        };
    };
    apply_binding: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewBindingRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Binding"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Binding"];
                };
            };
        };
    };
    bind_role: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewBindingRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Binding"];
                };
            };
        };
    };
    binding: {
        parameters: {
            path: {
                binding: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Binding"];
                };
            };
        };
    };
    rebind_role: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                binding: number;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BindingBoundsRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Binding"];
                };
            };
        };
    };
    unbind_role: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                binding: number;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    explain_access: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessQuestionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
        };
    };
    test_groups: {
        parameters: {};
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GroupsRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GroupGrants"];
                };
            };
        };
    };
    access_requests: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AccessRequestPage"];
                };
            };
        };
    };
    decide_access: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AccessDecisionRequest"];
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    roles: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RolePage"];
                };
            };
        };
    };
    make_role: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRoleRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
        };
    };
    role: {
        parameters: {
            path: {
                role: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
        };
    };
    change_role: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag that was shown; `*` for whatever is there, or nothing yet. Needed without If-None-Match. */
                "If-Match"?: string;
                /** @description `*`: only where nothing is there yet. */
                "If-None-Match"?: string;
            };
            path: {
                role: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleRulesRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
        };
    };
    delete_role: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                role: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    approvals: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                limit?: number;
                tab?: "asked" | "decided" | "mine" | "open";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApprovalPage"];
                };
            };
        };
    };
    approval: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    answer_changes: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VoteCommentRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    approvals_approve_create: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VoteCommentRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    delegate_vote: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DelegateRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    approvals_reject_create: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VoteCommentRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    approvals_request_changes_create: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VoteCommentRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    approve_together: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkVoteRequest"];
            };
        };
        responses: {
            207: {
                content: {
                    "application/json": components["schemas"]["BulkVoteAnswer"];
                };
            };
        };
    };
    asks: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PermissionRequestPage"];
                };
            };
        };
    };
    ask: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPermissionRequestRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["PermissionRequest"];
                };
            };
        };
    };
    settle_ask: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    audit: {
        parameters: {
            query?: {
                /** @description Whole, or a beginning and a star: `upgrade.*`. */
                action?: string;
                actor?: string;
                address?: string;
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                limit?: number;
                outcome?: "denied" | "done" | "dry_run" | "failed";
                /** @description Without dry runs and sign-ins that succeeded. */
                quiet?: boolean;
                region?: string;
                /** @description All that one request did. */
                request_id?: string;
                service?: string;
                /** @description From this moment on. */
                since?: string;
                target?: string;
                /** @description Before this moment. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
    audit_chain: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditChain"];
                };
            };
        };
    };
    compare_audit_chain: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditAnchorsRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditChain"];
                };
            };
        };
    };
    export_audit: {
        parameters: {
            query?: {
                /** @description Whole, or a beginning and a star: `upgrade.*`. */
                action?: string;
                actor?: string;
                address?: string;
                as?: "csv" | "jsonl";
                outcome?: "denied" | "done" | "dry_run" | "failed";
                /** @description Without dry runs and sign-ins that succeeded. */
                quiet?: boolean;
                region?: string;
                /** @description All that one request did. */
                request_id?: string;
                service?: string;
                /** @description From this moment on. */
                since?: string;
                target?: string;
                /** @description Before this moment. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    approve_brown_out: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BrownOut"];
                };
            };
        };
    };
    stop_brown_out: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StopBrownOutRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BrownOut"];
                };
            };
        };
    };
    constraints: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AllConstraints"];
                };
            };
        };
    };
    deployment_constraints: {
        parameters: {
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeploymentConstraints"];
                };
            };
        };
    };
    audit_references: {
        parameters: {
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ReferenceAudit"];
                };
            };
        };
    };
    evictions: {
        parameters: {
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Evictions"];
                };
            };
        };
    };
    evict: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                region: string;
                service: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskEvictionRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Eviction"];
                };
            };
        };
    };
    declared_set: {
        parameters: {
            path: {
                owner: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeclaredSet"];
                };
            };
        };
    };
    keep_declared_set: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                owner: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeclaredObjectsRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeclaredSet"];
                };
            };
        };
    };
    pause_definition_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DefinitionRollout"];
                };
            };
        };
    };
    start_definition_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DefinitionRollout"];
                };
            };
        };
    };
    stop_definition_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StopDefinitionRolloutRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DefinitionRollout"];
                };
            };
        };
    };
    deletion_check: {
        parameters: {
            query: {
                /** @description Full name //{service}/{region}/{name}, or a plain name. */
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeletionCheck"];
                };
            };
        };
    };
    rehearse_deletion: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResourceNameRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeletionRehearsal"];
                };
            };
        };
    };
    deletion_checks: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamesToCheckRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BriefCheckPage"];
                };
            };
        };
    };
    deletion_watches: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeletionWatchPage"];
                };
            };
        };
    };
    watch_deletion: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResourceNameRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["DeletionWatch"];
                };
            };
        };
    };
    end_deletion_watch: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    deployments: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                limit?: number;
                q?: string;
                region?: string;
                region__in?: string;
                service?: string;
                service__in?: string;
                stage?: string;
                version?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeploymentPage"];
                };
            };
        };
    };
    deployment: {
        parameters: {
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
        };
    };
    apply_deployment: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag that was shown; left out, any state will do. */
                "If-Match"?: string;
            };
            path: {
                region: string;
                service: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApplyDeploymentRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
        };
    };
    delete_deployment: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    activity: {
        parameters: {
            query?: {
                caller?: string;
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                kind?: "" | "read" | "write";
                limit?: number;
                /** @description Such as create, list, or the name of a custom method. */
                method?: string;
                /** @description A resource, or the parent of a collection. */
                name?: string;
                request_id?: string;
                since?: string | null;
                /** @description A status such as 409, or all of 4xx. */
                status?: string;
                type?: string;
                until?: string | null;
                /** @description The version that was called. */
                version?: string;
            };
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ActivityPage"];
                };
            };
        };
    };
    conversion_sessions: {
        parameters: {
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConversionSessionPage"];
                };
            };
        };
    };
    observe_conversions: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                region: string;
                service: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObserveConversionsRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ConversionSession"];
                };
            };
        };
    };
    conversion_session: {
        parameters: {
            path: {
                id: string;
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConversionSession"];
                };
            };
        };
    };
    end_conversion_session: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
                region: string;
                service: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    recorded_conversions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                limit?: number;
            };
            path: {
                id: string;
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConversionRecordPage"];
                };
            };
        };
    };
    kept_types: {
        parameters: {
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeptTypePage"];
                };
            };
        };
    };
    export_kept_type: {
        parameters: {
            path: {
                region: string;
                service: string;
                type: string;
                version: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    logs: {
        parameters: {
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Logs"];
                };
            };
        };
    };
    set_logs: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag that was shown; left out, any state will do. */
                "If-Match"?: string;
            };
            path: {
                region: string;
                service: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogSettingsRequestRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Logs"];
                };
            };
        };
    };
    resource: {
        parameters: {
            query: {
                name: string;
                version?: string;
            };
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    resource_changes: {
        parameters: {
            query?: {
                caller?: string;
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                limit?: number;
                name?: string;
                operation?: "" | "create" | "update" | "delete";
                request_id?: string;
                since?: string | null;
                type?: string;
                /** @description The resource, in every version and under every name that it had. */
                uid?: string | null;
                until?: string | null;
                /** @description The version that stored the change. */
                version?: string;
            };
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ResourceChangePage"];
                };
            };
        };
    };
    resources: {
        parameters: {
            query?: {
                filter?: string;
                limit?: number;
                page_token?: string;
                type?: string;
                version?: string;
            };
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Resources"];
                };
            };
        };
    };
    deployment_samples: {
        parameters: {
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Samples"];
                };
            };
        };
    };
    follow_deployment: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    unfollow_deployment: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    switch_deployment: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                region: string;
                service: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
        };
    };
    deprecations: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeprecationPage"];
                };
            };
        };
    };
    duty: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OnCallTurnPage"];
                };
            };
        };
    };
    take_duty: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOnCallTurnRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OnCallTurnPage"];
                };
            };
        };
    };
    leave_duty: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    emergencies: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BreakGlassReviewPage"];
                };
            };
        };
    };
    review_emergency: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VoteCommentRequest"];
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    eviction: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Eviction"];
                };
            };
        };
    };
    evictions_approve_create: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VoteCommentRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Eviction"];
                };
            };
        };
    };
    evictions_reject_create: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VoteCommentRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Eviction"];
                };
            };
        };
    };
    fleet: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Fleet"];
                };
            };
        };
    };
    fleet_callers: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FleetCallers"];
                };
            };
        };
    };
    load_example_fleet: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ExampleFleet"];
                };
            };
        };
    };
    fleet_versions: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FleetVersions"];
                };
            };
        };
    };
    fleet_windows: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FleetWindows"];
                };
            };
        };
    };
    health: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    controllers: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ControllerPage"];
                };
            };
        };
    };
    quarantined_work: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QuarantinedWorkPage"];
                };
            };
        };
    };
    retry_work: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryKeyRequest"];
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    hooks: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HookPage"];
                };
            };
        };
    };
    create_hook: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewHookRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
        };
    };
    hook: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
        };
    };
    change_hook: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeHookRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
        };
    };
    delete_hook: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    deliveries: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    replay_delivery: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                delivery: number;
                id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    rotate_hook: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
        };
    };
    test_hook: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    named_hook: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
        };
    };
    apply_hook: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag that was shown; `*` for whatever is there, or nothing yet. Needed without If-None-Match. */
                "If-Match"?: string;
                /** @description `*`: only where nothing is there yet. */
                "If-None-Match"?: string;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookRulesRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
        };
    };
    preview_hook: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewHookRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HookPreview"];
                };
            };
        };
    };
    end_key_strategy: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyStrategy"];
                };
            };
        };
    };
    notices: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["NotificationSettings"];
                };
            };
        };
    };
    add_notice: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNotificationRuleRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["NotificationRule"];
                };
            };
        };
    };
    change_notice: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNotificationRuleRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["NotificationRule"];
                };
            };
        };
    };
    delete_notice: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    set_notice_hours: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewQuietHoursRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QuietHours"];
                };
            };
        };
    };
    operations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                kind?: string;
                limit?: number;
                request_id?: string;
                requested_by?: string;
                state?: "done" | "failed" | "running";
                target?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperationPage"];
                };
            };
        };
    };
    operation: {
        parameters: {
            query?: {
                /** @description With `wait`: news is a revision greater than this. */
                if_rev_gt?: number;
                /** @description Wait up to so long for news, such as `30s`; at most 60 s. */
                wait?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    overview: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    policies: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PolicyPage"];
                };
            };
        };
    };
    create_policy: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPolicyRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ChangedPolicy"];
                };
            };
        };
    };
    policy: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    change_policy: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag that was shown; `*` for whatever is there, or nothing yet. Needed without If-None-Match. */
                "If-Match"?: string;
                /** @description `*`: only where nothing is there yet. */
                "If-None-Match"?: string;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyRulesRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChangedPolicy"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["ChangedPolicy"];
                };
            };
        };
    };
    delete_policy: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Warnings"];
                };
            };
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    explain_policy: {
        parameters: {
            query: {
                deployment: string;
                purpose?: "brownout" | "evict" | "revert" | "switch";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    preview_policy: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPolicyRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PolicyPreview"];
                };
            };
        };
    };
    references: {
        parameters: {
            query: {
                depth?: number;
                direction?: "both" | "in" | "out";
                /** @description At most so many resources: 1 to 5000, else 300. */
                limit?: number;
                /** @description Full name //{service}/{region}/{name}, or a plain name. */
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["References"];
                };
            };
        };
    };
    references_building: {
        parameters: {
            query?: {
                region?: string;
                service?: string;
                version?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FillingVersionPage"];
                };
            };
        };
    };
    reference_groups: {
        parameters: {
            query: {
                /** @description Full name //{service}/{region}/{name}, or a plain name. */
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ReferenceGroups"];
                };
            };
        };
    };
    reference_group_members: {
        parameters: {
            query: {
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                direction: "in" | "out";
                field: string;
                kind: "BLOCK" | "CASCADE" | "UNSET" | "OWNER" | "WEAK";
                limit?: number;
                /** @description Full name //{service}/{region}/{name}, or a plain name. */
                name: string;
                region: string;
                service: string;
                type: string;
                version?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GroupMemberPage"];
                };
            };
        };
    };
    find_resources: {
        parameters: {
            query?: {
                region?: string;
                service?: string;
                /** @description A whole name, or the last part of one. */
                text?: string;
                type?: string;
                version?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ResourceMatches"];
                };
            };
        };
    };
    regions: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RegionPage"];
                };
            };
        };
    };
    report_keys: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ReportKeyPage"];
                };
            };
        };
    };
    send_requests: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequestsRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BatchAnswers"];
                };
            };
        };
    };
    rollouts: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RolloutPage"];
                };
            };
        };
    };
    plan_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRolloutRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RolloutRehearsal"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    rollout: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    pause_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RolloutActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    rollout_rest: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RolloutRest"];
                };
            };
        };
    };
    replan_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RolloutActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    resume_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RolloutActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    retry_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RolloutActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    rollback_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RolloutActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    skip_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RolloutActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    start_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RolloutActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    stop_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RolloutActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    rollout_proposals: {
        parameters: {
            query: {
                /** @description Names, parted by commas. */
                deployments?: string;
                /** @description Names, parted by commas; all without any. */
                regions?: string;
                /** @description Names, parted by commas. */
                services?: string;
                target_version: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RolloutProposalPage"];
                };
            };
        };
    };
    rollout_targets: {
        parameters: {
            query: {
                /** @description Names, parted by commas. */
                deployments: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RolloutTargetPage"];
                };
            };
        };
    };
    services: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ServicePage"];
                };
            };
        };
    };
    apply_service: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceFolderRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AppliedService"];
                };
            };
        };
    };
    service: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ServiceDetail"];
                };
            };
        };
    };
    waive_change: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewChangeWaiverRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Waiver"];
                };
            };
        };
    };
    compatibility: {
        parameters: {
            query: {
                after: string;
                /** @description `sarif`: as tools of code review read it. */
                as?: "json" | "sarif";
                before: string;
                /** @description Only differences of this category; what is counted stays. */
                buf?: "FILE" | "PACKAGE" | "WIRE_JSON" | "WIRE";
                client?: "strict" | "filter" | "pass";
                policy?: "no-loss" | "loss-ok";
                server?: "strict" | "filter" | "pass";
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Compatibility"];
                };
            };
        };
    };
    changed_lines: {
        parameters: {
            query: {
                after: string;
                before: string;
                client?: "strict" | "filter" | "pass";
                policy?: "no-loss" | "loss-ok";
                server?: "strict" | "filter" | "pass";
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChangedLinesPage"];
                };
            };
        };
    };
    removed_fields: {
        parameters: {
            query: {
                after: string;
                before: string;
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RemovedFieldPage"];
                };
            };
        };
    };
    run_compatibility: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompatibilityQuestionRequest"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    definition_rollouts: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DefinitionRolloutPage"];
                };
            };
        };
    };
    plan_definition_rollout: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDefinitionRolloutRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["DefinitionRollout"];
                };
            };
        };
    };
    definition_reviews: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DefinitionReviewPage"];
                };
            };
        };
    };
    service_schema: {
        parameters: {
            path: {
                name: string;
                version: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    service_timeline: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ServingPeriodPage"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: {
                /** @description How many days back, 1 to 396; 35 by default. */
                days?: number;
                /** @description Calls in this region only; in all regions by default. */
                region?: string;
                version?: string;
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
        };
    };
    brown_outs: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BrownOutPage"];
                };
            };
        };
    };
    request_brown_out: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewBrownOutRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["BrownOut"];
                };
            };
        };
    };
    announce_deadline: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnounceDeadlineRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AnnouncedDeadline"];
                };
            };
        };
    };
    key_strategies: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyStrategyPage"];
                };
            };
        };
    };
    set_key_strategy: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKeyStrategyRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["KeyStrategy"];
                };
            };
        };
    };
    usage_keys: {
        parameters: {
            query: {
                client?: string;
                /** @description How many days back, 1 to 396; 35 by default. */
                days?: number;
                /** @description Such as Secret.create. */
                method?: string;
                version: string;
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyUsePage"];
                };
            };
        };
    };
    used_places: {
        parameters: {
            query: {
                /** @description Only what this client uses. */
                client?: string;
                version: string;
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UsedPlacePage"];
                };
            };
        };
    };
    retire_version: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                name: string;
                version: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetireRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Retirement"];
                };
            };
        };
    };
    waivers: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WaiverPage"];
                };
            };
        };
    };
    ask_waiver: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWaiverRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Waiver"];
                };
            };
        };
    };
    session: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    sign_in: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    sign_out: {
        parameters: {};
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    way_to_access: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AccessContact"];
                };
            };
        };
    };
    request_access: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewAccessRequestRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AccessContact"];
                };
            };
        };
    };
    sign_in_by_passkey: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignInRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    ask_passkey: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    prove_by_passkey: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAnswerRequest"];
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    passkeys: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeyPage"];
                };
            };
        };
    };
    add_passkey: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskeyRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["PasskeyAdded"];
                };
            };
        };
    };
    name_passkey: {
        parameters: {
            path: {
                id: number;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyNameRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    remove_passkey: {
        parameters: {
            path: {
                id: number;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RemovePasskeyRequest"];
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    ask_new_passkey: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    change_password: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasswordRequest"];
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    prove: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordConfirmationRequest"];
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    sign_in_providers: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInProviderPage"];
                };
            };
        };
    };
    second_factor: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
        };
    };
    set_second_factor: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SpareCodes"];
                };
            };
        };
    };
    propose_second_factor: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Proposal"];
                };
            };
        };
    };
    drop_second_factor: {
        parameters: {};
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeRequest"];
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    choose_zone: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShownZoneRequest"];
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    sessions: {
        parameters: {
            query?: {
                /** @description Those of all accounts, for one that may see accounts. */
                all?: boolean;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BrowserSessionPage"];
                };
            };
        };
    };
    end_session: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: number;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    tokens: {
        parameters: {
            query?: {
                /** @description Those of all accounts, for one that may see accounts. */
                all?: boolean;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TokenPage"];
                };
            };
        };
    };
    issue_token: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTokenRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TokenWithSecret"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
        };
    };
    upgrades: {
        parameters: {
            query?: {
                /** @description Count them all as well. */
                count?: "estimate" | "exact";
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                deployment?: string;
                deployment__in?: string;
                fields?: string;
                from_version?: string;
                from_version__in?: string;
                kind?: string;
                kind__in?: string;
                limit?: number;
                live?: string;
                q?: string;
                region?: string;
                region__in?: string;
                service?: string;
                service__in?: string;
                sort?: "-created_at" | "-deployment" | "-finished_at" | "-started_at" | "-state" | "created_at" | "deployment" | "finished_at" | "started_at" | "state";
                stalled?: string;
                state?: string;
                state__in?: string;
                to_version?: string;
                to_version__in?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UpgradePage"];
                };
            };
        };
    };
    plan_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUpgradeRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DryRun"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    upgrade: {
        parameters: {
            query?: {
                /** @description With `wait`: news is a revision greater than this. */
                if_rev_gt?: number;
                /** @description Wait up to so long for news, such as `30s`; at most 60 s. */
                wait?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    abort_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    ask_people: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRequestToPeopleRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TimelineEntry"];
                };
            };
        };
    };
    settle_asked: {
        parameters: {
            query: {
                action: string;
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    break_glass_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    complete_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    edit_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    enable_reverse_replication_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    upgrade_events: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before, for the same filters. */
                cursor?: string;
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UpgradeEventPage"];
                };
            };
        };
    };
    comment_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TimelineEntry"];
                };
            };
        };
    };
    extend_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    upgrade_history: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
        };
    };
    pause_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    upgrade_quarantine: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QuarantinedResourcePage"];
                };
            };
        };
    };
    resolve_quarantined: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuarantineActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QuarantinedResourcePage"];
                };
            };
        };
    };
    upgrade_removals: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RemovalPage"];
                };
            };
        };
    };
    upgrade_report: {
        parameters: {
            query?: {
                /** @description `md`: to be read by people. */
                as?: "json" | "md";
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "text/markdown": string;
                };
            };
        };
    };
    request_approval_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    resume_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    retry_shard_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    rollback_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    upgrade_run_sheet: {
        parameters: {
            query?: {
                /** @description `md`: Markdown. */
                as?: "html" | "md";
                /** @description As of this moment; left out: now. */
                at?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                    "text/markdown": string;
                };
            };
        };
    };
    upgrade_samples: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Samples"];
                };
            };
        };
    };
    settle_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    shard_turns: {
        parameters: {
            path: {
                id: string;
                shard: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ShardTransitionPage"];
                };
            };
        };
    };
    start_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    switch_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    throttle_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeActionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
        };
    };
    await_upgrade: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpgradeMilestoneRequest"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    override_window: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWindowOverrideRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["WindowOverride"];
                };
            };
        };
    };
    upgrade_facets: {
        parameters: {
            query?: {
                deployment?: string;
                deployment__in?: string;
                from_version?: string;
                from_version__in?: string;
                kind?: string;
                kind__in?: string;
                live?: string;
                q?: string;
                region?: string;
                region__in?: string;
                service?: string;
                service__in?: string;
                stalled?: string;
                state?: string;
                state__in?: string;
                to_version?: string;
                to_version__in?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Facets"];
                };
            };
        };
    };
    plan_upgrades: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            207: {
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
        };
    };
    views: {
        parameters: {
            path: {
                page: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ViewPage"];
                };
            };
        };
    };
    view: {
        parameters: {
            path: {
                name: string;
                page: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    save_view: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
                page: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveViewRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ViewPage"];
                };
            };
        };
    };
    forget_view: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                name: string;
                page: string;
            };
        };
        responses: {
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    waiver_inbox: {
        parameters: {
            query?: {
                tab?: "asked" | "decided" | "mine" | "open";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WaiverPage"];
                };
            };
        };
    };
    approve_waiver: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Waiver"];
                };
            };
        };
    };
    end_waiver: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Waiver"];
                };
            };
        };
    };
    windows: {
        parameters: {};
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WindowPage"];
                };
            };
        };
    };
    create_window: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWindowRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ChangedWindow"];
                };
            };
        };
    };
    window: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Window"];
                };
            };
        };
    };
    change_window: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag that was shown; `*` for whatever is there, or nothing yet. Needed without If-None-Match. */
                "If-Match"?: string;
                /** @description `*`: only where nothing is there yet. */
                "If-None-Match"?: string;
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WindowRulesRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChangedWindow"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["ChangedWindow"];
                };
            };
        };
    };
    delete_window: {
        parameters: {
            query?: {
                /** @description Say what would happen, and keep nothing. */
                dry_run?: boolean;
            };
            header: {
                /** @description The ETag that was shown. */
                "If-Match": string;
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Warnings"];
                };
            };
            /** @description No response body */
            204: {
                content?: never;
            };
        };
    };
    windows_ahead: {
        parameters: {
            query: {
                deployment: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WindowSpanPage"];
                };
            };
        };
    };
    explain_window: {
        parameters: {
            query: {
                /** @description An instant; now when left out. */
                at?: string;
                deployment: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SwitchPermission"];
                };
            };
        };
    };
}
export interface components {
    schemas: {
        /** @description Who could give access, and what became of asking. */
        AccessContact: {
            who_can: string[];
            request: components["schemas"]["AccessRequest"] | null;
        };
        /** @description A role within a scope; without one it is refused, and `answer` says why. */
        AccessDecisionRequest: {
            /** @default  */
            role?: string;
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default  */
            answer?: string;
        };
        /** @description Whose access to what is asked about. */
        AccessQuestionRequest: {
            account?: string;
            action: string;
            /** @default system */
            target_kind?: string;
            /** @default  */
            target?: string;
            /** @default  */
            service?: string;
            /** @default  */
            region?: string;
            /** @default  */
            requested_by?: string;
            /**
             * Format: date-time
             * @description At this instant; now when left out.
             * @default null
             */
            at?: string | null;
            /**
             * @description From this address.
             * @default
             */
            address?: string;
        };
        /** @description Who asks for access, and the answer. */
        AccessRequest: {
            id: string;
            who: string;
            comment: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            state: "open" | "granted" | "refused" | "withdrawn";
            answer: string;
            decided_by: string;
            /** Format: date-time */
            decided_at: string | null;
        };
        AccessRequestPage: {
            items: components["schemas"]["AccessRequest"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description An account and the roles it holds. */
        Account: {
            name: string;
            email: string;
            display_name: string;
            /** @enum {string} */
            kind: "user" | "service";
            groups: string[];
            active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_sign_in: string | null;
            roles?: string[];
        };
        AccountPage: {
            items: components["schemas"]["Account"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One answered request, in the words of the caller's version. */
        Activity: {
            id: string;
            /** Format: date-time */
            at: string;
            version: string;
            method: string;
            /** @description Empty when the address names no resource type. */
            type: string;
            name: string;
            caller: string;
            /** @description The program, as it names itself. */
            client: string;
            status: number;
            /** @description The code of the refusal or failure. */
            error: string;
            /** Format: double */
            milliseconds: number;
            request_id: string;
            /** @description native, translated or preview; empty when it was not served. */
            served: string;
            /** @description The deployment that handed the request on. */
            via: string;
            /** @enum {string} */
            kind: "read" | "write";
            /**
             * Format: double
             * @description For how many requests it stands, where reads are sampled.
             */
            weight: number;
        };
        ActivityPage: {
            items: components["schemas"]["Activity"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A process that ended before it wrote down all that it noted: entries of its last moment may be missing. */
        ActivityWriter: {
            process: string;
            /** Format: date-time */
            flushed_at: string;
            entries: number;
        };
        /** @description References between deployments, of each. */
        AllConstraints: {
            items: components["schemas"]["Constraints"][];
        };
        /** @description What goes on which day, and what its users are to know. */
        AnnounceDeadlineRequest: {
            version: string;
            place: string;
            /** Format: date */
            deadline: string;
            /** @default  */
            note?: string;
        };
        /** @description What was announced, and the clients that were named. */
        AnnouncedDeadline: {
            service: string;
            version: string;
            place: string;
            /** Format: date */
            deadline: string;
            note: string;
            clients: string[];
        };
        /** @description What applying a folder came to. */
        AppliedService: {
            service: string;
            versions: string[];
            resource_types: string[];
            fingerprint: string;
            changed: boolean;
            warnings: string[];
            /** @description False only in a dry run: what decisions or waivers lack. */
            may_apply: boolean;
            /** @description On each thing that differs from what is served, the heaviest first. */
            decisions: components["schemas"]["ChangeDecision"][];
            /** @description On the change as a whole; null where nothing differs. */
            advice: components["schemas"]["ChangeAdvice"] | null;
        };
        /** @description What a deployment shall be: its message in the registry's words, and the alias of its data database. */
        ApplyDeploymentRequest: {
            deployment: {
                [key: string]: unknown;
            };
            /** @default  */
            database?: string;
        };
        /** @description A request with its evidence then and now, what it puts at stake, and who is there to decide. */
        Approval: {
            id: string;
            rev: number;
            digest: string;
            upgrade_id: string;
            what: string;
            /** @description The sentence in phrases; left out where it has none. */
            what_phrases?: components["schemas"]["Phrase"][];
            /** @enum {string} */
            purpose: "switch" | "revert";
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            asked_by: string;
            comment: string;
            ticket: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            deadline: string;
            /** @enum {string} */
            state: "OPEN" | "CHANGES" | "APPROVED" | "REJECTED" | "EXPIRED" | "VOID" | "USED";
            closed_reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            closed_reason_phrases?: components["schemas"]["Phrase"][];
            needed: number;
            votes_given: number;
            /** @description Whose votes are taken, in order; empty when none are. */
            stages: components["schemas"]["StageVotes"][];
            policy: string;
            votes: components["schemas"]["Vote"][];
            /** @description Null in lists once the request is settled. */
            impact_summary: components["schemas"]["ImpactSummary"] | null;
            delegations: components["schemas"]["Delegation"][];
            on_approve: string;
            /** @description The sentence in phrases; left out where it has none. */
            on_approve_phrases?: components["schemas"]["Phrase"][];
            undo: string;
            /** @description The sentence in phrases; left out where it has none. */
            undo_phrases?: components["schemas"]["Phrase"][];
            who_can: string[];
            actions: components["schemas"]["AvailableAction"][];
            evidence_then: components["schemas"]["Check"][];
            evidence_now: components["schemas"]["Check"][];
            differences: components["schemas"]["CheckDifference"][];
            /** @description What got worse since a vote. */
            worse: components["schemas"]["WorseCheck"][];
            /** @description By the policy: votes are void when a check gets worse. Otherwise they bind to the plan. */
            void_when_worse: boolean;
            impact: components["schemas"]["Impact"];
            /** @description Accounts whose votes are refused, and why. */
            excluded: components["schemas"]["ExcludedVoter"][];
            on_duty: components["schemas"]["OnCallTurn"][];
        };
        ApprovalPage: {
            items: components["schemas"]["ApprovalSummary"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A request as lists show it. */
        ApprovalSummary: {
            id: string;
            rev: number;
            digest: string;
            upgrade_id: string;
            what: string;
            /** @description The sentence in phrases; left out where it has none. */
            what_phrases?: components["schemas"]["Phrase"][];
            /** @enum {string} */
            purpose: "switch" | "revert";
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            asked_by: string;
            comment: string;
            ticket: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            deadline: string;
            /** @enum {string} */
            state: "OPEN" | "CHANGES" | "APPROVED" | "REJECTED" | "EXPIRED" | "VOID" | "USED";
            closed_reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            closed_reason_phrases?: components["schemas"]["Phrase"][];
            needed: number;
            votes_given: number;
            /** @description Whose votes are taken, in order; empty when none are. */
            stages: components["schemas"]["StageVotes"][];
            policy: string;
            votes: components["schemas"]["Vote"][];
            /** @description Null in lists once the request is settled. */
            impact_summary: components["schemas"]["ImpactSummary"] | null;
            delegations: components["schemas"]["Delegation"][];
            on_approve: string;
            /** @description The sentence in phrases; left out where it has none. */
            on_approve_phrases?: components["schemas"]["Phrase"][];
            undo: string;
            /** @description The sentence in phrases; left out where it has none. */
            undo_phrases?: components["schemas"]["Phrase"][];
            who_can: string[];
            actions: components["schemas"]["AvailableAction"][];
        };
        /** @description Why a deployment does not come back. */
        AskEvictionRequest: {
            reason: string;
        };
        /** @description A signed head of the chain, as it was kept outside. */
        AuditAnchorRequest: {
            seq: number;
            digest: string;
            at: string;
            key: string;
            signature: string;
        };
        /** @description Heads to compare the chain with. */
        AuditAnchorsRequest: {
            anchors: components["schemas"]["AuditAnchorRequest"][];
        };
        /** @description How the chain stands. */
        AuditChain: {
            intact: boolean;
            length: number;
            unsealed: number;
            digest: string;
            broken_at: number | null;
            entry: number | null;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            reason_phrases?: components["schemas"]["Phrase"][];
            /** @description Signed heads that it was compared with. */
            anchors: number;
            /** @description The newest entry that one of them names. */
            anchored: number;
            /** @description The public key (Ed25519) that heads are signed with. */
            key: string;
        };
        /** @description One entry of the ledger. */
        AuditEntry: {
            id: number;
            seq: number | null;
            digest: string | null;
            /** Format: date-time */
            at: string;
            actor: string;
            actor_kind: string;
            actor_kind_title?: string;
            token: string;
            address: string;
            request_id: string;
            action: string;
            /** @description What the action is called; its name where it has no title. */
            action_title?: string;
            target_kind: string;
            target_kind_title?: string;
            target: string;
            service: string;
            region: string;
            /** @enum {string} */
            outcome: "done" | "denied" | "failed" | "dry_run";
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            reason_phrases?: components["schemas"]["Phrase"][];
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
        };
        AuditEntryPage: {
            items: components["schemas"]["AuditEntry"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description An action: allowed, or the sentence that refuses it and who could. */
        AvailableAction: {
            action: string;
            allowed: boolean;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            who_can: string[];
        };
        /** @description What a bag keeps, and why. */
        BagEntry: {
            path: string;
            key: string;
            field: string;
            value: string;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description The answers, in the order of the plans. */
        BatchAnswer: {
            items: components["schemas"]["BatchItem"][];
        };
        /** @description The answers, in the order of the writes. */
        BatchAnswers: {
            answers: components["schemas"]["InnerAnswer"][];
        };
        /** @description What became of one plan: the upgrade, or the problem that refused it. */
        BatchItem: {
            deployment: string;
            status: number;
            upgrade: components["schemas"]["Upgrade"] | null;
            problem: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Up to a hundred plans. */
        BatchRequest: {
            upgrades: components["schemas"]["NewUpgradeRequest"][];
        };
        /** @description Writes in the order in which they are carried out. */
        BatchRequestsRequest: {
            requests: components["schemas"]["InnerRequestRequest"][];
        };
        /** @description A role binding; its tag is its ETag. */
        Binding: {
            id: number;
            tag: string;
            subject_kind: string;
            subject: string;
            role: string;
            service: string;
            region: string;
            environment: string;
            /** Format: date-time */
            expires_at: string | null;
            conditions: components["schemas"]["Conditions"];
            /** @description The conditions in words. */
            counts: string;
            /** @description Whether its days and hours let it count now. */
            counts_now: boolean;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description Where a role counts, and until when. */
        BindingBoundsRequest: {
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default * */
            environment?: string;
            /**
             * Format: date-time
             * @default null
             */
            expires_at?: string | null;
            conditions?: components["schemas"]["ConditionsRequest"];
        };
        BindingPage: {
            items: components["schemas"]["Binding"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One cause that holds an upgrade up, as found from facts. */
        Blockage: {
            /** @enum {string} */
            kind: "quarantined" | "no-worker" | "unavailable" | "broker-unavailable" | "worker-late" | "lease-held" | "no-result" | "shard-failed" | "resource-quarantined" | "throttled";
            sentence: string;
            /** Format: date-time */
            since: string | null;
            remedy: string;
            /** @description It stays until a person acts. */
            needs_person: boolean;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** @description The remedy in phrases; left out where it has none. */
            remedy_phrases?: components["schemas"]["Phrase"][];
        };
        /** @description Who blocks a deletion: a resource, and the field by which it refers. */
        Blocker: {
            type: string;
            name: string;
            path: string;
        };
        /** @description Who refers, and from which field. */
        BlockingReference: {
            path: string;
            message: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description A break-glass override, and its review. */
        BreakGlassReview: {
            id: string;
            upgrade_id: string;
            service: string;
            region: string;
            /** @enum {string} */
            purpose: "switch" | "revert";
            who: string;
            reason: string;
            ticket: string;
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            used_at: string | null;
            reviewed_by: string;
            /** Format: date-time */
            reviewed_at: string | null;
            review: string;
        };
        BreakGlassReviewPage: {
            items: components["schemas"]["BreakGlassReview"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Why and when a person signed in by break-glass. */
        BreakGlassSession: {
            reason: string;
            /** Format: date-time */
            at: string;
        };
        /** @description A field of a deployment's resources that refers to what the version does not have. */
        BreakingReference: {
            service: string;
            region: string;
            version: string;
            type: string;
            path: string;
            kind: string;
            target: string;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description The verdict on one of many; `id` is empty when no deployment here holds it. */
        BriefCheck: {
            name: string;
            id: string;
            /** @enum {string} */
            verdict: "safe" | "blocked" | "unknown";
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            blockers: number;
            cascades: number;
        };
        BriefCheckPage: {
            items: components["schemas"]["BriefCheck"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A share of the requests that use something deprecated is refused between two moments, before it is removed. */
        BrownOut: {
            id: string;
            service: string;
            version: string;
            /** @enum {string} */
            kind: "field" | "method" | "version";
            /** @description Type and path of a field, type and method, or the version. */
            place: string;
            /** Format: double */
            percent: number;
            /** Format: date-time */
            begins_at: string;
            /** Format: date-time */
            ends_at: string;
            /** Format: date */
            sunset: string;
            replaced_by: string;
            note: string;
            /** @enum {string} */
            state: "requested" | "announced" | "running" | "over" | "stopped" | "lapsed";
            requested_by: string;
            /** Format: date-time */
            requested_at: string;
            /** @description By the approval policy; it is announced once all are given. */
            approvals_needed: number;
            /** @description Of whom; empty where no policy asks. */
            approvals_asked: string;
            approved_by: string[];
            stopped_by: string;
            /** Format: date-time */
            stopped_at: string | null;
            stop_reason: string;
            /** @description Requests that were refused, or answered without the field; counted every few seconds. */
            refused: number;
            refused_clients: components["schemas"]["RefusedClient"][];
        };
        BrownOutPage: {
            items: components["schemas"]["BrownOut"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A browser that a person is signed in with. */
        BrowserSession: {
            id: number;
            account: string;
            /** Format: date-time */
            at: string;
            address: string;
            agent: string;
            how: string;
            current: boolean;
        };
        BrowserSessionPage: {
            items: components["schemas"]["BrowserSession"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description The outcomes, in the order of the requests. */
        BulkVoteAnswer: {
            items: components["schemas"]["BulkVoteOutcome"][];
        };
        /** @description One request, and the digest of the evidence that was seen. */
        BulkVoteItemRequest: {
            id: string;
            digest: string;
        };
        /** @description What became of one request: 200, or the problem that refused the vote. */
        BulkVoteOutcome: {
            id: string;
            status: number;
            problem: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The same change in up to a hundred places. */
        BulkVoteRequest: {
            requests: components["schemas"]["BulkVoteItemRequest"][];
            /** @default  */
            comment?: string;
        };
        /** @description A client that was seen to call the version that is left. */
        Caller: {
            client: string;
            messages: number;
            /** Format: date-time */
            last_seen: string;
        };
        /** @description Clients of the two versions, from a week before the upgrade began until it ended. */
        CallersOfVersions: {
            /** Format: date-time */
            seen_from: string;
            /** Format: date-time */
            switched_at: string | null;
            versions: components["schemas"]["VersionCallers"][];
        };
        /** @description A deployment: what it runs, and where its upgrade is. */
        Cell: {
            service: string;
            region: string;
            name: string;
            current_version: string;
            target_version: string | null;
            state: string;
            ready: number;
            total: number;
            automatic: boolean;
            disabled: boolean;
            upgrade_id: string | null;
            rev: number;
            labels: {
                [key: string]: string;
            };
            data_version: string;
            /**
             * Format: double
             * @description Of the slowest shard; only while an upgrade of this console is live.
             */
            lag_seconds?: number | null;
            /** @description null: not counted yet. */
            percent?: number | null;
            /** @description Shards whose last report is too old to be believed. */
            unknown_shards?: number;
            /**
             * Format: date-time
             * @description How old the figures of the live upgrade are.
             */
            oldest_report_at?: string | null;
            /** @description Something holds the live upgrade up. */
            blocked?: boolean;
            /**
             * Format: date-time
             * @description Of the live upgrade.
             */
            started_at?: string | null;
            /** @description Who planned the live upgrade. */
            owner?: string;
        };
        /** @description A change in place and a new version weighed against each other, for all decisions together. */
        ChangeAdvice: {
            /**
             * @description `split` where neither is possible for the whole.
             * @enum {string}
             */
            recommended: "in-place" | "new-version" | "split";
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            ways: components["schemas"]["ChangeWay"][];
        };
        /** @description What becomes of one thing in which a definition differs from the served one, why, and what was counted. */
        ChangeDecision: {
            version: string;
            /** @enum {string} */
            rule: "key-added" | "key-added-required" | "key-removed" | "key-status" | "type-widened" | "type-narrowed" | "type-replaced" | "default-changed" | "unit-changed" | "number-changed" | "number-reused" | "resource-added" | "resource-removed" | "pattern-added" | "pattern-removed" | "id-pattern-changed" | "symbol-removed" | "method-removed" | "method-changed" | "version-removed" | "sunset-moved";
            path: string;
            change: string;
            /** @description What `change` says, part by part; left out in decisions that are older than it. */
            sides?: components["schemas"]["ChangedSide"][];
            /** @enum {string} */
            verdict: "allowed" | "needs-steps" | "needs-data-task" | "refused";
            reasons: string[];
            /** @description Each of `reasons` in phrases. */
            reason_phrases?: components["schemas"]["Phrase"][][];
            steps: string[];
            /** @description The cheapest plan over servers and clients, where neither can make the change alone. */
            phases: components["schemas"]["ChangePhase"][];
            advice: string;
            places: string[];
            stored: components["schemas"]["StoredCount"][];
            senders: components["schemas"]["SeenClient"][];
            readers: components["schemas"]["SeenClient"][];
            /** @description To whom answers returned the field: of the answers that were looked into. */
            receivers: components["schemas"]["SeenClient"][];
            /** Format: date */
            newest_evidence: string | null;
            /** @description Older than the longest period of a client. */
            evidence_is_old: boolean;
            waiver: components["schemas"]["ChangeWaiver"] | null;
        };
        /** @description A webhook as it shall be, with its name. */
        ChangeHookRequest: {
            /**
             * @description How it is told: signed JSON, a card of Slack or Teams, a mail.
             * @default signed
             * @enum {string}
             */
            format?: "signed" | "slack" | "teams" | "email";
            /**
             * @description The whole address; left out or empty, the address stays.
             * @default
             */
            url?: string;
            events: string[];
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default true */
            active?: boolean;
            name: string;
        };
        /** @description One deployment of one side, and what the next phase waits for. */
        ChangePhase: {
            /** @enum {string} */
            side: "server" | "client";
            action: string;
            /** @description The sentence in phrases; left out where it has none. */
            action_phrases?: components["schemas"]["Phrase"][];
            /** @description Empty of the last phase. */
            wait: string;
            /** @description What the evidence lacks to end the wait now. */
            lacking: string[];
            /** @description Each of `lacking` in phrases. */
            lacking_phrases?: components["schemas"]["Phrase"][][];
        };
        /** @description What lets a change through that the decision is against. */
        ChangeWaiver: {
            id: string;
            /** @enum {string} */
            state: "asked" | "in-force" | "expired" | "used" | "ended";
            reason: string;
            /** Format: date-time */
            until: string;
            asked_by: string;
            approved_by: string;
        };
        /** @description What a change takes as a whole, in place or as a new version. */
        ChangeWay: {
            /** @enum {string} */
            way: "in-place" | "new-version";
            possible: boolean;
            /** @description A server deployment is 1, one of clients 10, a data task or a version 5, a line of an edge 1, and 2 more where it must be filled in. */
            cost: number;
            client_deployments: number;
            server_deployments: number;
            data_tasks: number;
            /** @description Lines of an edge between both versions. */
            conversions: number;
            /** @description Of these, the lines that a person must fill in. */
            open_conversions: number;
            pros: string[];
            /** @description Each of `pros` in phrases. */
            pro_phrases?: components["schemas"]["Phrase"][][];
            cons: string[];
            /** @description Each of `cons` in phrases. */
            con_phrases?: components["schemas"]["Phrase"][][];
        };
        /** @description A place of the report in both versions; null where it is not in the sources, or they are in another language. */
        ChangedLines: {
            path: string;
            before: components["schemas"]["SourceExcerpt"] | null;
            after: components["schemas"]["SourceExcerpt"] | null;
        };
        ChangedLinesPage: {
            items: components["schemas"]["ChangedLines"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A policy as it is after a change, and what the change means for upgrades under way. */
        ChangedPolicy: {
            /** @enum {string} */
            purpose: "switch" | "revert" | "evict" | "brownout";
            service: string;
            region: string;
            environment: string;
            needed: number;
            group: string;
            last_approver_may_run: boolean;
            expires_seconds: number;
            critical: boolean;
            window_needed: boolean;
            break_glass_group: string;
            /** @description Who votes after the first group, in order. */
            then: components["schemas"]["Stage"][];
            /** @description For `revert`: so long after the switch rolling back takes no votes. */
            free_seconds: number;
            /** @description Which upgrades of its scope are meant; `{}`: all of them. */
            about: components["schemas"]["UpgradeSelector"];
            /** @description Votes are void once a check fails that passed when one of them was given. Otherwise they bind to the plan, and the switch waits until every check passes. */
            void_when_worse: boolean;
            name: string;
            rev: number;
            updated_by: string;
            warnings: string[];
            /** @description Each of `warnings` in phrases. */
            warning_phrases: components["schemas"]["Phrase"][][];
        };
        /** @description What a change is in requests, in responses, or in both where it has no side. */
        ChangedSide: {
            /** @description request, response, or empty: in both. */
            where: string;
            before: string;
            after: string;
            reasons: string[];
            /** @description Each of `reasons` in phrases. */
            reason_phrases?: components["schemas"]["Phrase"][][];
        };
        /** @description A window as it is after a change, and what the change means for upgrades under way. */
        ChangedWindow: {
            /** @enum {string} */
            effect: "allow" | "deny";
            zone: string;
            service: string;
            region: string;
            environment: string;
            cron: string;
            minutes: number;
            /** @description No switch begins so long before the window closes or the freeze opens. */
            overrun_minutes: number;
            starts: string;
            ends: string;
            reason: string;
            ticket: string;
            /** @description Who may let an upgrade go past it: names of accounts, and roles as `role NAME`. */
            overriders: string[];
            name: string;
            rev: number;
            created_by: string;
            next: components["schemas"]["Occurrence"][];
            warnings: string[];
            /** @description Each of `warnings` in phrases. */
            warning_phrases: components["schemas"]["Phrase"][][];
        };
        /** @description A guard, judged. */
        Check: {
            check: string;
            /** @enum {string} */
            verdict: "pass" | "skipped" | "warn" | "pending" | "fail" | "unknown";
            sentence: string;
            remedy: string;
            /** Format: date-time */
            at: string | null;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** @description The remedy in phrases; left out where it has none. */
            remedy_phrases?: components["schemas"]["Phrase"][];
        };
        /** @description A check that came out otherwise than when approval was asked for. */
        CheckDifference: {
            check: string;
            then: components["schemas"]["Check"] | null;
            now: components["schemas"]["Check"];
        };
        /** @description Whether what was seen proves that a key is not used, or why it does not. */
        Claim: {
            proved: boolean;
            /** Format: double */
            upper_bound: number;
            reasons: string[];
            /** @description Each of `reasons` in phrases. */
            reason_phrases?: components["schemas"]["Phrase"][][];
        };
        /** @description What one release of a client used of a version. */
        ClientUse: {
            client: string;
            release: string;
            messages: number;
            /** Format: date-time */
            first_seen: string;
            /** Format: date-time */
            last_seen: string;
            methods: components["schemas"]["MethodUse"][];
        };
        /** @description The code that the authenticator shows. */
        CodeRequest: {
            code: string;
        };
        /** @description Words for everybody who follows an upgrade. */
        CommentRequest: {
            comment: string;
        };
        /** @description The report. */
        Compatibility: {
            service: string;
            before: string;
            after: string;
            /** @enum {string} */
            client: "strict" | "filter" | "pass";
            /** @enum {string} */
            server: "strict" | "filter" | "pass";
            /** @enum {string} */
            policy: "no-loss" | "loss-ok";
            /** @enum {string} */
            verdict: "same" | "compatible" | "handled" | "breaking";
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** @description Differences that nothing handles, by weight. */
            counts: {
                [key: string]: number;
            };
            /** @description All differences, by class. */
            classes: {
                [key: string]: number;
            };
            /** @description All differences, by Buf's categories. */
            buf: {
                [key: string]: number;
            };
            findings: components["schemas"]["CompatibilityFinding"][];
            losses: components["schemas"]["ConversionLoss"][];
            /** @description Places that break, are given up or hidden, and that no waiver in force accepts. */
            to_accept: number;
        };
        /** @description One difference: who is hit, who goes first, what to do. */
        CompatibilityFinding: {
            /** @enum {string} */
            rule: "key-added" | "key-added-required" | "key-removed" | "key-status" | "type-widened" | "type-narrowed" | "type-replaced" | "default-changed" | "unit-changed" | "number-changed" | "number-reused" | "resource-added" | "resource-removed" | "pattern-added" | "pattern-removed" | "id-pattern-changed" | "symbol-removed" | "method-removed" | "method-changed" | "version-removed" | "sunset-moved";
            /** @enum {string} */
            weight: "break" | "staged" | "ordered" | "note";
            /** @description Which kinds of clients meet it. */
            classes: ("wire" | "JSON" | "source" | "semantic")[];
            /** @description In which of its categories Buf would report it, if one version followed the other in one package. */
            buf: ("FILE" | "PACKAGE" | "WIRE_JSON" | "WIRE")[];
            path: string;
            where: string;
            before: string;
            after: string;
            order: string;
            /** @description Who does what, step by step, where nothing converts. */
            plan: string[];
            /** @description Lines of an edge: what handles it, with its place, or what could; … is for you to fill in. */
            transform: string;
            reasons: string[];
            /** @description Each of `reasons` in phrases. */
            reason_phrases?: components["schemas"]["Phrase"][][];
            losing_updates: string[];
            handled: boolean;
            /** @description Only where a person has to accept it: null, or its waiver. */
            waiver?: components["schemas"]["Waiver"] | null;
            advice: string;
        };
        /** @description Which versions, and how clients and servers treat what they do not know. */
        CompatibilityQuestionRequest: {
            before: string;
            after: string;
            /**
             * @default filter
             * @enum {string}
             */
            client?: "strict" | "filter" | "pass";
            /**
             * @default strict
             * @enum {string}
             */
            server?: "strict" | "filter" | "pass";
            /**
             * @default no-loss
             * @enum {string}
             */
            policy?: "no-loss" | "loss-ok";
        };
        /** @description One part of the system. */
        Component: {
            name: string;
            /** @enum {string} */
            status: "ok" | "degraded" | "down" | "unknown";
            detail: string;
            /** Format: date-time */
            since: string | null;
            remedy: string | null;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** @description The sentence in phrases; left out where it has none. */
            remedy_phrases?: components["schemas"]["Phrase"][];
            /** @description The page of the console that says what to do. */
            runbook: string;
        };
        /** @description When a role counts: all of it must hold, what is left out asks for nothing. */
        Conditions: {
            /** @description 1 is Monday. */
            days?: number[];
            /** @description From this time of day: `08:30`. */
            start?: string;
            /** @description Before this one. */
            end?: string;
            zone?: string;
            /** @description `10.20.0.0/16` */
            networks?: string[];
        };
        /** @description When a role counts: all of it must hold, what is left out asks for nothing. */
        ConditionsRequest: {
            /** @description 1 is Monday. */
            days?: number[];
            /** @description From this time of day: `08:30`. */
            start?: string;
            /** @description Before this one. */
            end?: string;
            zone?: string;
            /** @description `10.20.0.0/16` */
            networks?: string[];
        };
        /** @description How much is under way in a deployment. */
        ConstraintCounts: {
            /** @description Confirmations it owes to others. */
            owed: number;
            /** Format: double */
            oldest_owed_seconds: number;
            /** @description References others announced that are not settled. */
            blockades: number;
            /** Format: double */
            oldest_blockade_seconds: number;
            /** @description Those whose outcome is asked for. */
            overdue_blockades: number;
            pending_deletes: number;
            deleting: number;
            /** Format: double */
            oldest_deleting_seconds: number;
        };
        /** @description What does not hold, or has not ended: a reference, a read copy, an attempt, a deletion; or nothing is known. */
        ConstraintFinding: {
            source: string;
            target: string;
            /** @description The field that refers; none for a read copy. */
            path: string;
            /** @enum {string} */
            what: "gone" | "unlisted" | "lacking" | "stale" | "extra" | "unsettled" | "undeleted" | "unknown";
            reason: string;
        };
        /** @description Work on confirmations or deletions that another deployment holds up. */
        ConstraintWait: {
            /** @enum {string} */
            work: "pending" | "deleting";
            waits_for: string;
            /** @description The sentence in phrases; left out where it has none. */
            waits_for_phrases?: components["schemas"]["Phrase"][];
            /** @description True when a person must look. */
            quarantined: boolean;
            /** Format: double */
            seconds: number;
        };
        /** @description References of a deployment to others and of others to it; `unknown` when it did not answer, `evicted` when none waits for it. */
        Constraints: {
            deployment: string;
            service: string;
            region: string;
            /** @enum {string} */
            state: "known" | "unknown" | "evicted";
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            tally: components["schemas"]["ConstraintCounts"] | null;
            moving: components["schemas"]["PendingDeletion"][];
            read_copies: components["schemas"]["CopySource"][];
            policy_changes: components["schemas"]["PolicyChange"][];
        };
        /** @description A controller in one region; no region: what is Switchyard's own. */
        Controller: {
            region: string;
            controller: string;
            /** @description How many keys it looks after. */
            keys: number;
            /** @description How many of them a worker holds just now. */
            held: number;
            /** @description How many are due since 30 s, and no worker holds them. */
            late: number;
            quarantined: number;
            /** @description The worker that holds a key, or else held one last. */
            leader: string;
            /** Format: date-time */
            last_turn_at: string | null;
            /** Format: double */
            age_seconds: number | null;
        };
        ControllerPage: {
            items: components["schemas"]["Controller"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Fields that a conversion hides, and how well they are kept. */
        ConversionLoss: {
            way: string;
            path: string;
            op: string;
            /** @enum {string} */
            kept: "bag" | "witness" | "no" | "hidden";
            /** @description Only where a person has to accept it: null, or its waiver. */
            waiver?: components["schemas"]["Waiver"] | null;
        };
        /** @description One conversion: what went in, what was stored before a write, what came out, or why nothing did. */
        ConversionRecord: {
            id: string;
            /** Format: date-time */
            at: string;
            caller: string;
            request_id: string;
            /** @enum {string} */
            direction: "read" | "write";
            source_version: string;
            target_version: string;
            type: string;
            name: string;
            document: {
                [key: string]: unknown;
            };
            before: {
                [key: string]: unknown;
            } | null;
            /** @description `converted`, or the code of the error. */
            outcome: string;
            output_name: string;
            output: {
                [key: string]: unknown;
            } | null;
            /** Format: double */
            milliseconds: number;
        };
        ConversionRecordPage: {
            items: components["schemas"]["ConversionRecord"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A debug session; it records while it is OPEN. */
        ConversionSession: {
            id: string;
            /** @enum {string} */
            state: "OPEN" | "FULL" | "EXPIRED" | "ENDED";
            client: string;
            resource: string;
            reason: string;
            most_records: number;
            recorded: number;
            started_by: string;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            expires_at: string;
            ended_by: string;
            /** Format: date-time */
            ended_at: string | null;
        };
        ConversionSessionPage: {
            items: components["schemas"]["ConversionSession"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One step of a conversion: where from and to, the values as JSON (empty: absent), and what the bag did. */
        ConversionStep: {
            op: string;
            source: string;
            target: string;
            before: string;
            after: string;
            bag: string;
        };
        /** @description How long the newest copies of the service took until all shards were caught up. */
        CopyDuration: {
            /** Format: double */
            low_seconds: number;
            /** Format: double */
            high_seconds: number;
            upgrades: number;
        };
        /** @description That copies and comparisons are slowed for the sake of writes. */
        CopyPacing: {
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description When a worker reported it last.
             */
            reported_at: string;
        };
        /** @description How far a deployment has followed one other region, in one version. */
        CopySource: {
            /** @description The region that owns what is copied. */
            region: string;
            version: string;
            /**
             * @description `unknown` when the region does not answer.
             * @enum {string}
             */
            state: "following" | "comparing" | "unknown";
            /** @description A place in the changes of that region. */
            position: string;
            /**
             * Format: double
             * @description How old the copies are at most; none before they were caught up once.
             */
            behind_seconds: number | null;
            /** @description Changes known to wait there. */
            waiting: number;
            problem: string;
            /** @description The sentence in phrases; left out where it has none. */
            problem_phrases?: components["schemas"]["Phrase"][];
        };
        /** @description A task that brings the stored data of a version to a newer data version. */
        DataTask: {
            task_tag: string;
            target_data_version: string;
            done: number;
            total: number;
            /** @description What each unfinished shard says. */
            progress: {
                [key: string]: number;
            };
        };
        /** @description Where the data of one version is kept. */
        Database: {
            namespace: string;
            version: string;
            disabled: boolean;
            /** @description As of its newest copy. */
            resources: number | null;
        };
        /** @description An object that was made by declaring it, with what was declared of it. */
        DeclaredObject: {
            kind: string;
            name: string;
            spec: {
                [key: string]: unknown;
            };
        };
        /** @description An object that was made by declaring it, with what was declared of it. */
        DeclaredObjectRequest: {
            kind: string;
            name: string;
            spec: {
                [key: string]: unknown;
            };
        };
        /** @description All objects that were made under an owner label and are declared still. */
        DeclaredObjectsRequest: {
            objects: components["schemas"]["DeclaredObjectRequest"][];
        };
        /** @description What an account made under an owner label. */
        DeclaredSet: {
            owner: string;
            objects: components["schemas"]["DeclaredObject"][];
        };
        /** @description One phase of a definition that changes in place. */
        DefinitionPhase: {
            /** @enum {string} */
            side: "server" | "client";
            action: string;
            /** @description The sentence in phrases; left out where it has none. */
            action_phrases?: components["schemas"]["Phrase"][];
            /** @description What the next phase waits for; empty of the last. */
            wait: string;
            /** @description The definition that servers have then; empty of clients. */
            fingerprint: string;
            /** @enum {string} */
            state: "done" | "current" | "waiting";
            /** @description What stood against the next definition at `checked_at`. */
            lacking: string[];
            /** @description Each of `lacking` in phrases; empty where it has none. */
            lacking_phrases?: components["schemas"]["Phrase"][][];
            /** Format: date-time */
            settled_at: string | null;
        };
        /** @description One definition that was to take the place of the served one, with the decisions as they were then. */
        DefinitionReview: {
            fingerprint: string;
            /** @description The fingerprint of the definition that was served; empty for none. */
            against: string;
            /** @enum {string} */
            outcome: "applied" | "refused";
            by: string;
            /** Format: date-time */
            at: string;
            decisions: components["schemas"]["ChangeDecision"][];
        };
        DefinitionReviewPage: {
            items: components["schemas"]["DefinitionReview"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A definition that takes the place of the served one in phases, each applied when nothing stands against it. */
        DefinitionRollout: {
            id: string;
            rev: number;
            service: string;
            /** @enum {string} */
            state: "PLANNED" | "RUNNING" | "PAUSED" | "DONE" | "STOPPED";
            /** @description Why it is paused or was stopped. */
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            reason_phrases?: components["schemas"]["Phrase"][];
            note: string;
            /** @description The first phase that is not over, from 0; null after the last. */
            phase: number | null;
            phases: components["schemas"]["DefinitionPhase"][];
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** @description As whom its definitions are applied. */
            started_by: string;
            /**
             * Format: date-time
             * @description When the evidence was asked last.
             */
            checked_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
        };
        DefinitionRolloutPage: {
            items: components["schemas"]["DefinitionRollout"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Who shall vote in one's place; one's own name takes it back. */
        DelegateRequest: {
            /** @default  */
            comment?: string;
            to: string;
        };
        /** @description A vote lent to another person. */
        Delegation: {
            who: string;
            to: string;
            comment: string;
            /** Format: date-time */
            at: string;
        };
        /** @description Whether a resource may be deleted. */
        DeletionCheck: {
            focus: components["schemas"]["ReferenceNode"];
            /** @enum {string} */
            verdict: "safe" | "blocked" | "unknown";
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            blockers: components["schemas"]["IncomingReference"][];
            cascades: components["schemas"]["ReferenceNode"][];
            unsets: components["schemas"]["IncomingReference"][];
            unknown: components["schemas"]["UnansweredDeployment"][];
        };
        /** @description What the server did before it took all back: deleted, refused, or would ask others first. */
        DeletionRehearsal: {
            /** @enum {string} */
            outcome: "delete" | "refuse" | "ask";
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            deleted: number;
            /** @description Deployments that would be asked to agree. */
            asks: string[];
            violations: components["schemas"]["BlockingReference"][];
        };
        /** @description A resource that a person waits for to be free to go. */
        DeletionWatch: {
            id: string;
            name: string;
            /** @enum {string} */
            verdict: "safe" | "blocked" | "unknown" | "gone";
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            looked_at: string | null;
            /** Format: date-time */
            cleared_at: string | null;
        };
        DeletionWatchPage: {
            items: components["schemas"]["DeletionWatch"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A delivery and what became of it. */
        Delivery: {
            id: number;
            seq: number;
            event: string;
            body: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            attempts: number;
            /** Format: date-time */
            next_at: string | null;
            /** @description The class of the answer, such as `2xx`; null when there was none. */
            status: string | null;
            /** @description Null when nothing was answered. */
            took_ms: number | null;
            error: string;
            /** @description The sentence in phrases; left out where it has none. */
            error_phrases?: components["schemas"]["Phrase"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
        };
        DeliveryPage: {
            items: components["schemas"]["Delivery"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A deployment that stands on this one; `builds_on` is empty for a mere use. */
        Dependant: {
            service: string;
            region: string;
            version: string;
            builds_on: string;
        };
        /** @description Everything about one deployment; `raw` is its message in the registry's own words. */
        Deployment: {
            service: string;
            region: string;
            name: string;
            current_version: string;
            target_version: string | null;
            state: string;
            ready: number;
            total: number;
            automatic: boolean;
            disabled: boolean;
            upgrade_id: string | null;
            rev: number;
            labels: {
                [key: string]: string;
            };
            data_version: string;
            /**
             * Format: double
             * @description Of the slowest shard; only while an upgrade of this console is live.
             */
            lag_seconds?: number | null;
            /** @description null: not counted yet. */
            percent?: number | null;
            /** @description Shards whose last report is too old to be believed. */
            unknown_shards?: number;
            /**
             * Format: date-time
             * @description How old the figures of the live upgrade are.
             */
            oldest_report_at?: string | null;
            /** @description Something holds the live upgrade up. */
            blocked?: boolean;
            /**
             * Format: date-time
             * @description Of the live upgrade.
             */
            started_at?: string | null;
            /** @description Who planned the live upgrade. */
            owner?: string;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            newest_version: string;
            reachable_versions: components["schemas"]["ReachableVersion"][];
            db_data_version: string;
            db_location_tag: string;
            /** @description How many shards the data have; null where they are kept elsewhere. */
            shard_count: number | null;
            public_domain: string;
            imported_versions: components["schemas"]["DeploymentImport"][];
            dependants: components["schemas"]["Dependant"][];
            databases: components["schemas"]["Database"][];
            upgrades: components["schemas"]["UpgradeSummary"][];
            active_upgrade: components["schemas"]["UpgradeSummary"] | null;
            actions: components["schemas"]["OfferedAction"][];
            switch_mode_set: components["schemas"]["ModeChange"] | null;
            /** @description While an upgrade runs whose shards changed. */
            resharded: components["schemas"]["ShardCountChange"] | null;
            /** @description Whether the caller follows it. */
            followed: boolean;
            raw: {
                [key: string]: unknown;
            };
        };
        /** @description References between one deployment and others, with what it follows. */
        DeploymentConstraints: {
            deployment: string;
            service: string;
            region: string;
            /** @enum {string} */
            state: "known" | "unknown" | "evicted";
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            tally: components["schemas"]["ConstraintCounts"] | null;
            moving: components["schemas"]["PendingDeletion"][];
            read_copies: components["schemas"]["CopySource"][];
            policy_changes: components["schemas"]["PolicyChange"][];
            subscriptions: components["schemas"]["Subscription"][];
            waits: components["schemas"]["ConstraintWait"][];
        };
        /** @description An import: the version it uses, and the one that runs in the same region. */
        DeploymentImport: {
            service: string;
            version: string;
            current_version: string | null;
            mismatch: boolean;
        };
        DeploymentPage: {
            items: components["schemas"]["Cell"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One thing that goes away. */
        Deprecation: {
            /** @enum {string} */
            kind: "call" | "version";
            /** @description A method and an address, or a service and its version. */
            what: string;
            /** Format: date */
            since: string;
            /** Format: date */
            sunset: string;
            instead: string;
        };
        DeprecationPage: {
            items: components["schemas"]["Deprecation"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A plan that was not kept: what it would do, and what stands against it. */
        DryRun: {
            plan: {
                [key: string]: unknown;
            };
            plan_digest: string;
            checks: components["schemas"]["Check"][];
            would: string[];
            would_phrases?: components["schemas"]["Phrase"][][];
            possible: boolean;
            prospects: components["schemas"]["UpgradeForecast"];
        };
        /** @description When it would happen if the last vote came now; `not_before` is null when nothing holds it back. */
        EarliestSwitch: {
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** Format: date-time */
            not_before: string | null;
        };
        /** @description A range of seconds. */
        Eta: {
            /** Format: double */
            low_seconds: number;
            /** Format: double */
            high_seconds: number;
        };
        /** @description A request to evict a deployment, with its votes, and whether the caller may vote. */
        Eviction: {
            id: string;
            rev: number;
            deployment: string;
            /** @enum {string} */
            state: "OPEN" | "CHANGES" | "APPROVED" | "REJECTED" | "EXPIRED" | "VOID" | "USED";
            reason: string;
            asked_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            deadline: string;
            digest: string;
            needed: number;
            votes_given: number;
            vote: components["schemas"]["AvailableAction"];
            votes: components["schemas"]["Vote"][];
        };
        /** @description The evictions of a deployment, the newest first, and whether the caller may ask for another. */
        Evictions: {
            evict: components["schemas"]["AvailableAction"];
            items: components["schemas"]["Eviction"][];
        };
        /** @description What loading the example fleet came to. */
        ExampleFleet: {
            regions: string[];
            services: string[];
            deployments: string[];
            /** @description How much was not there before. */
            changed: number;
        };
        /** @description An account that cannot vote here because who planned or asked changed it. */
        ExcludedVoter: {
            who: string;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description A decision and what it rests on. */
        Explanation: {
            account: string;
            action: string;
            target: string;
            allowed: boolean;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            who_can: string[];
            /** @description `grants` in words. */
            bindings: string[];
            grants: components["schemas"]["Grant"][];
        };
        /** @description One value that a list can be narrowed to, and how many it would show. */
        Facet: {
            value: string;
            count: number;
        };
        /** @description What a list of upgrades can be narrowed to. */
        Facets: {
            service: components["schemas"]["Facet"][];
            region: components["schemas"]["Facet"][];
            state: components["schemas"]["Facet"][];
            kind: components["schemas"]["Facet"][];
        };
        /** @description A new field that an old one may have become. */
        FieldCandidate: {
            /** @description Its path in the type that the old one's type becomes. */
            path: string;
            /**
             * Format: double
             * @description How sure that is, from 0 to 1.
             */
            confidence: number;
            /** @description What speaks for it and against it. */
            reasons: string[];
            /** @description Each of `reasons` in phrases. */
            reason_phrases?: components["schemas"]["Phrase"][][];
        };
        /** @description A version whose references are being filled: it is copied to, and not served yet. */
        FillingVersion: {
            service: string;
            region: string;
            version: string;
            /** @description The version whose references are told until then. */
            served: string;
            upgrade_id: string;
            /** @description Whole percent as the upgrade shows it: 100 once all shards are caught up, null before all are counted. */
            percent: number | null;
            /**
             * Format: date-time
             * @description How old the percent is; null: no shard has reported.
             */
            oldest_report_at: string | null;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        FillingVersionPage: {
            items: components["schemas"]["FillingVersion"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description The whole matrix. */
        Fleet: {
            regions: components["schemas"]["FleetRegion"][];
            services: components["schemas"]["FleetService"][];
            cells: components["schemas"]["Cell"][];
        };
        /** @description Clients of versions before the newest, as `callers[service][region]`; what had none is not named. */
        FleetCallers: {
            days: number;
            callers: {
                [key: string]: {
                    [key: string]: number;
                };
            };
        };
        /** @description Which version of an import a version of the service uses. */
        FleetImport: {
            service: string;
            version: string;
            for_version: string;
        };
        /** @description A column of the matrix. */
        FleetRegion: {
            name: string;
            title: string;
            /** @description Its time zone, from the annotation `timeZone` of the region. */
            zone: string;
        };
        /** @description A row of the matrix; services stand above what they import. */
        FleetService: {
            name: string;
            display_name: string;
            versions: string[];
            rank: number;
            imports: string[];
            /** @description By version of the service; empty where none is declared. */
            import_versions: components["schemas"]["FleetImport"][];
        };
        /** @description When each version was served for the first time, as `since[service][version]`; one that never was is not named. */
        FleetVersions: {
            /** @description Null where the change was not noted. */
            since: {
                [key: string]: {
                    [key: string]: string | null;
                };
            };
        };
        /** @description The next window of each deployment: `of[service][region]` numbers one of `outlooks`. */
        FleetWindows: {
            outlooks: components["schemas"]["WindowOutlook"][];
            of: {
                [key: string]: {
                    [key: string]: number;
                };
            };
        };
        /** @description A deployment that one follows; another `key` means that it moved on. */
        FollowedDeployment: {
            service: string;
            region: string;
            current_version: string;
            state: string;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            link: string;
            key: string;
        };
        /** @description The policy that counts, what it asks in words, and why it is this one. */
        ForecastPolicy: {
            name: string;
            needed: number;
            group: string;
            critical: boolean;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            reason_phrases?: components["schemas"]["Phrase"][];
        };
        /** @description Whether windows and freezes would let it switch now, and when next. */
        ForecastWindow: {
            allowed: boolean;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** Format: date-time */
            next_open: string | null;
        };
        /** @description A role within a scope, and when it counts. */
        Grant: {
            role: string;
            service: string;
            region: string;
            environment: string;
            /** @description What gives it in place of a binding of the account itself: `group core`. */
            through: string;
            conditions: components["schemas"]["Conditions"];
        };
        /** @description What groups of the identity provider give here. */
        GroupGrants: {
            groups: string[];
            unbound: string[];
            /** @description `grants` in words. */
            bindings: string[];
            grants: components["schemas"]["Grant"][];
            roles: string[];
            permissions: string[];
        };
        /** @description A single reference of a group: the resource at its other end, and where the reference stands. */
        GroupMember: {
            id: string;
            path: string;
        };
        GroupMemberPage: {
            items: components["schemas"]["GroupMember"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Groups by name, or a token of the identity provider that names them. */
        GroupsRequest: {
            /** @default [] */
            groups?: string[];
            /** @default  */
            token?: string;
        };
        /** @description The whole, which is as its worst part. */
        Health: {
            /** @enum {string} */
            status: "ok" | "degraded" | "down" | "unknown";
            components: components["schemas"]["Component"][];
            work_classes: components["schemas"]["WorkClass"][];
        };
        /** @description How many resources are not shown, and why. */
        HiddenResources: {
            budget: number;
            filter: number;
        };
        /** @description What was recorded of an upgrade, with its times. */
        History: {
            /** Format: date-time */
            as_of: string;
            transitions: components["schemas"]["Transition"][];
            shards: components["schemas"]["ShardChanges"];
            compared: components["schemas"]["ShardComparisons"];
            callers: components["schemas"]["CallersOfVersions"];
            requests: components["schemas"]["SheetRequest"][];
            votes: components["schemas"]["SheetVote"][];
            switch_steps: components["schemas"]["SheetSwitchStep"][];
        };
        /** @description A webhook. */
        Hook: {
            id: string;
            name: string;
            rev: number;
            /** @enum {string} */
            format: "signed" | "slack" | "teams" | "email";
            /** @description Host and last four characters of the address, which is a credential; mail addresses whole. */
            address: string;
            events: string[];
            service: string;
            region: string;
            active: boolean;
            /** Format: date-time */
            former_until: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            waiting?: number;
            retrying?: number;
            failed?: number;
        };
        HookPage: {
            items: components["schemas"]["Hook"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A message as its receiver would read it. */
        HookPreview: {
            event: string;
            /** @description Nothing of the kind happened of late. */
            example: boolean;
            message: {
                [key: string]: unknown;
            };
        };
        /** @description A webhook as it shall be; its name is in the address. */
        HookRulesRequest: {
            /**
             * @description How it is told: signed JSON, a card of Slack or Teams, a mail.
             * @default signed
             * @enum {string}
             */
            format?: "signed" | "slack" | "teams" | "email";
            /**
             * @description The whole address; left out or empty, the address stays.
             * @default
             */
            url?: string;
            events: string[];
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default true */
            active?: boolean;
        };
        /** @description A webhook with its secret, shown this once. */
        HookWithSecret: {
            id: string;
            name: string;
            rev: number;
            /** @enum {string} */
            format: "signed" | "slack" | "teams" | "email";
            /** @description Host and last four characters of the address, which is a credential; mail addresses whole. */
            address: string;
            events: string[];
            service: string;
            region: string;
            active: boolean;
            /** Format: date-time */
            former_until: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            waiting?: number;
            retrying?: number;
            failed?: number;
            secret: string;
        };
        /** @description A resource as it was stored: without its property bag, and with sensitive values replaced. */
        Image: {
            body: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
        };
        /** @description What a decision puts at stake; equal `change`s may be approved together. */
        Impact: {
            when: components["schemas"]["EarliestSwitch"];
            risk: components["schemas"]["Risk"];
            blast: components["schemas"]["Reach"];
            report: components["schemas"]["ReportCounts"] | null;
            references: components["schemas"]["ReferencesAtStake"];
            change: string;
        };
        /** @description How a request stands at a glance; equal `change`s of low risk may be approved together. */
        ImpactSummary: {
            /** @enum {string} */
            risk: "low" | "medium" | "high";
            /** @description How many checks of the evidence fail now. */
            failing: number;
            /** @description How many of them are unknown. */
            unknown: number;
            change: string;
        };
        /** @description Who imports a version of this service, and for which of its own. */
        Importer: {
            service: string;
            for_version: string;
            version: string;
        };
        /** @description A reference with what is known of its source; empty where its deployment told nothing more. */
        IncomingReference: {
            source: string;
            target: string;
            /** @enum {string} */
            kind: "BLOCK" | "CASCADE" | "UNSET" | "OWNER" | "WEAK";
            path: string;
            version: string;
            type: string;
            /** @description What the source names as its owner, else what its name lies under. */
            owner: string;
            /**
             * Format: date-time
             * @description Since when the source is there.
             */
            since: string | null;
        };
        /** @description What one write was answered. */
        InnerAnswer: {
            status: number;
            etag: string;
            body: unknown;
        };
        /** @description One write, as it would be sent alone. */
        InnerRequestRequest: {
            /** @enum {string} */
            method: "PUT" | "POST" | "DELETE";
            /** @description The address with its parameters. */
            path: string;
            /** @default null */
            body?: unknown;
            /** @default  */
            if_match?: string;
            /** @default  */
            if_none_match?: string;
        };
        /** @description A type that has no place in the version served, or in the one that is upgraded to. */
        KeptType: {
            type: string;
            /** @description The last version that has it, which serves it. */
            version: string;
            /** @description The version that does not have it. */
            without: string;
            /** @description Resources now; null when the data cannot be read. */
            stored: number | null;
            /** @description Whether all of them were exported as they are; null when that is unknown. */
            exported: boolean | null;
            /** @description Whether any was written since the newest export; null without one. */
            changed_since: boolean | null;
            /** @description The newest export. */
            export: components["schemas"]["KeptTypeExport"] | null;
        };
        /** @description An export that came to its end. */
        KeptTypeExport: {
            /** Format: date-time */
            at: string;
            by: string;
            resources: number;
            /** @description Of the bytes that were sent. */
            sha256: string;
        };
        KeptTypePage: {
            items: components["schemas"]["KeptType"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description In how many messages a key stood in which state; `shown` counts answers that returned it, of those looked into. */
        KeyStates: {
            absent: number;
            null: number;
            empty: number;
            value: number;
            shown: number;
        };
        /** @description What is done with one key that a version does not know, until an end. */
        KeyStrategy: {
            id: string;
            service: string;
            version: string;
            /** @description Type and path, such as Box.lid.shade. */
            place: string;
            /** @enum {string} */
            strategy: "strict" | "filter" | "pass";
            reason: string;
            /** Format: date-time */
            until: string;
            /** @enum {string} */
            state: "in-force" | "expired" | "ended";
            /** @description The definition has the field, so that the strategy does not count now. */
            is_known: boolean;
            set_by: string;
            /** Format: date-time */
            set_at: string;
            ended_by: string;
            /** Format: date-time */
            ended_at: string | null;
        };
        KeyStrategyPage: {
            items: components["schemas"]["KeyStrategy"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description How a key of the messages to a method was sent; `clients` are those that sent it. */
        KeyUse: {
            method: string;
            path: string;
            messages: number;
            states: components["schemas"]["KeyStates"];
            clients: string[];
            /** Format: date-time */
            first_seen: string | null;
            /** Format: date-time */
            last_seen: string | null;
            unused: components["schemas"]["Claim"];
        };
        KeyUsePage: {
            items: components["schemas"]["KeyUse"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A deployment that cannot move now, and why. */
        LeftOut: {
            deployment: string;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description A resource in a list. */
        ListedResource: {
            name: string;
            revision: string;
            /** Format: date-time */
            updated_at: string | null;
            fields: {
                [key: string]: unknown;
            };
        };
        /** @description What the logs of a deployment keep. */
        LogSettingsRequestRequest: {
            /**
             * Format: double
             * @description Which share of reads is logged; writes are always.
             */
            read_sampling: number;
            activity_days: number;
            change_days: number;
        };
        /** @description What the logs of a deployment keep, and what is known to be missing; revision 0 is the default. */
        Logs: {
            rev: number;
            /** Format: double */
            read_sampling: number;
            activity_days: number;
            change_days: number;
            set_by: string;
            /** Format: date-time */
            set_at: string | null;
            /** @description Requests that were logged within the retention. */
            logged: number;
            /** @description Requests for which there was no room while they waited. */
            dropped: number;
            unfinished: components["schemas"]["ActivityWriter"][];
        };
        /** @description How often a method was called. */
        MethodUse: {
            method: string;
            messages: number;
        };
        /** @description Who said last how a deployment switches, and when. */
        ModeChange: {
            who: string;
            /** Format: date-time */
            at: string;
        };
        /** @description Up to a hundred names, full or plain. */
        NamesToCheckRequest: {
            names: string[];
        };
        /** @description Something that waits for the caller. */
        Need: {
            kind: string;
            id: string;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** Format: date-time */
            deadline: string | null;
            link: string;
            /** @description The address that puts an ask away. */
            put_away?: string;
        };
        /** @description Why the account needs access. */
        NewAccessRequestRequest: {
            /** @default  */
            comment?: string;
        };
        /** @description An account to be. */
        NewAccountRequest: {
            name: string;
            email?: string;
            display_name?: string;
            /**
             * @default user
             * @enum {string}
             */
            kind?: "user" | "service";
            password?: string;
        };
        /** @description A role for an account or a group, within a scope. */
        NewBindingRequest: {
            /**
             * @default account
             * @enum {string}
             */
            subject_kind?: "account" | "group";
            subject: string;
            role: string;
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default * */
            environment?: string;
            /** Format: date-time */
            expires_at?: string | null;
            conditions?: components["schemas"]["ConditionsRequest"];
        };
        /** @description What is refused of which place, and when. */
        NewBrownOutRequest: {
            version: string;
            /** @description Box.title of a field, Box.delete of a method, or the version. */
            place: string;
            /** Format: double */
            percent: number;
            /**
             * Format: date-time
             * @description At once without it.
             * @default null
             */
            begins_at?: string | null;
            /** Format: date-time */
            ends_at: string;
            /**
             * Format: date
             * @description The day of the removal, where neither the definition nor a retirement says it.
             * @default null
             */
            sunset?: string | null;
            /** @default  */
            replaced_by?: string;
            /** @default  */
            note?: string;
        };
        /** @description Which difference is to be accepted that applying these files would make, why, and until when. */
        NewChangeWaiverRequest: {
            files: {
                [key: string]: string;
            };
            version: string;
            /** @enum {string} */
            rule: "key-added" | "key-added-required" | "key-removed" | "key-status" | "type-widened" | "type-narrowed" | "type-replaced" | "default-changed" | "unit-changed" | "number-changed" | "number-reused" | "resource-added" | "resource-removed" | "pattern-added" | "pattern-removed" | "id-pattern-changed" | "symbol-removed" | "method-removed" | "method-changed" | "version-removed" | "sunset-moved";
            path: string;
            reason: string;
            /** Format: date-time */
            until: string;
        };
        /** @description The definition that is to be served after the last phase. */
        NewDefinitionRolloutRequest: {
            /** @description The files of the service folder, path to content, base64. */
            files: {
                [key: string]: string;
            };
            /** @default  */
            note?: string;
            /**
             * @description Begin the first phase at once.
             * @default false
             */
            start?: boolean;
        };
        /** @description A webhook to be: events by name or pattern, such as `upgrade.*`. */
        NewHookRequest: {
            /**
             * @description How it is told: signed JSON, a card of Slack or Teams, a mail.
             * @default signed
             * @enum {string}
             */
            format?: "signed" | "slack" | "teams" | "email";
            url: string;
            events: string[];
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default true */
            active?: boolean;
            name: string;
        };
        /** @description Which key, what is done with it, why, and until when. */
        NewKeyStrategyRequest: {
            version: string;
            place: string;
            /** @enum {string} */
            strategy: "strict" | "filter" | "pass";
            reason: string;
            /** Format: date-time */
            until: string;
        };
        /** @description What one is to be told of, where it happens, and how soon. */
        NewNotificationRuleRequest: {
            events: string[];
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /**
             * @default at-once
             * @enum {string}
             */
            pace?: "at-once" | "hourly" | "daily";
            /** @default true */
            active?: boolean;
        };
        /** @description How long one's own turn lasts from now. */
        NewOnCallTurnRequest: {
            hours: number;
        };
        /** @description The passkey that the browser made, as WebAuthn's JSON has it. */
        NewPasskeyRequest: {
            name: string;
            answer: {
                [key: string]: unknown;
            };
        };
        /** @description The password until now, and the one from now on. */
        NewPasswordRequest: {
            current: string;
            new: string;
        };
        /** @description What is asked for, and where it is done. */
        NewPermissionRequestRequest: {
            /** @enum {string} */
            permission: "fleet.read" | "upgrade.read" | "approval.read" | "registry.read" | "resource.read" | "health.read" | "operation.read" | "upgrade.plan" | "upgrade.start" | "upgrade.pause" | "upgrade.resume" | "upgrade.abort" | "upgrade.switch" | "upgrade.rollback" | "upgrade.complete" | "upgrade.comment" | "upgrade.repair" | "approval.request" | "approval.vote" | "policy.write" | "window.write" | "registry.write" | "resource.write" | "resource.method" | "activity.read" | "activity.observe" | "deployment.evict" | "work.retry" | "token.own" | "audit.read" | "audit.export" | "access.read" | "access.manage";
            what: string;
            /** @description The page of this console where it is done. */
            link: string;
            /** @default  */
            comment?: string;
            /** @default  */
            service?: string;
            /** @default  */
            region?: string;
        };
        /** @description A policy with its name. */
        NewPolicyRequest: {
            /** @enum {string} */
            purpose: "switch" | "revert" | "evict" | "brownout";
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default * */
            environment?: string;
            /** @default 1 */
            needed?: number;
            /** @default approver */
            group?: string;
            /** @default true */
            last_approver_may_run?: boolean;
            /** @default 86400 */
            expires_seconds?: number;
            /** @default false */
            critical?: boolean;
            /** @default false */
            window_needed?: boolean;
            /** @default admin */
            break_glass_group?: string;
            /**
             * @description Who votes after the first group, in order.
             * @default []
             */
            then?: components["schemas"]["StageRequest"][];
            /**
             * @description For `revert`: so long after the switch rolling back takes no votes.
             * @default 0
             */
            free_seconds?: number;
            /**
             * @description Which upgrades of its scope are meant; `{}`: all of them.
             * @default {}
             */
            about?: components["schemas"]["UpgradeSelectorRequest"];
            /**
             * @description Votes are void once a check fails that passed when one of them was given. Otherwise they bind to the plan, and the switch waits until every check passes.
             * @default false
             */
            void_when_worse?: boolean;
            name: string;
        };
        /** @description Quiet hours, and when a daily digest comes; on the clocks of a zone. */
        NewQuietHoursRequest: {
            /** @default UTC */
            zone?: string;
            /**
             * Format: partial-time
             * @default null
             */
            quiet_from?: string | null;
            /**
             * Format: partial-time
             * @default null
             */
            quiet_to?: string | null;
            /**
             * Format: partial-time
             * @default 08:00:00
             */
            daily_at?: string;
        };
        /** @description What one asks others to do, and why. */
        NewRequestToPeopleRequest: {
            action: string;
            /** @default  */
            comment?: string;
        };
        /** @description A role to be. */
        NewRoleRequest: {
            /** @default  */
            title?: string;
            permissions: string[];
            role: string;
        };
        /** @description Which deployments shall move to which version, wave after wave. */
        NewRolloutRequest: {
            /** @default  */
            title?: string;
            /** @default  */
            comment?: string;
            target_version: string;
            waves: string[][];
            /** @default 1 */
            max_parallel?: number;
            /** @default 0 */
            pause_seconds?: number;
            /** @default null */
            automatic?: boolean | null;
            /** @default true */
            downgrade_sync?: boolean;
            /** @default 168 */
            rollback_hours?: number;
            /** @default false */
            start?: boolean;
            /**
             * @description What the dry run called the plan: 412 when it would be another one.
             * @default
             */
            plan_digest?: string;
        };
        /** @description What a token shall be able to do, from where and until when. */
        NewTokenRequest: {
            name: string;
            account?: string;
            /** @description Everything, or what the token that asks carries, when left out. */
            scopes?: string[];
            /** @default [] */
            networks?: string[];
            /** Format: date-time */
            expires_at?: string | null;
        };
        /** @description What a deployment shall become. */
        NewUpgradeRequest: {
            deployment: string;
            /** @default  */
            target_version?: string;
            /**
             * @default version
             * @enum {string}
             */
            kind?: "version" | "location" | "data" | "shards";
            /** @default  */
            target_location?: string;
            /** @default  */
            target_data_version?: string;
            /** @default  */
            comment?: string;
            /** @default null */
            automatic?: boolean | null;
            /** @default true */
            downgrade_sync?: boolean;
            /** @default false */
            start?: boolean;
            /**
             * @description How long rollback stays possible.
             * @default 168
             */
            rollback_hours?: number;
            /**
             * @description As many shards as the data shall have; 0 for as many as they have. With another version or location, or alone with the kind `shards`.
             * @default 0
             */
            target_shard_count?: number;
        };
        /** @description Which finding of the report is to be accepted, why, and until when. */
        NewWaiverRequest: {
            before: string;
            after: string;
            /**
             * @default filter
             * @enum {string}
             */
            client?: "strict" | "filter" | "pass";
            /**
             * @default strict
             * @enum {string}
             */
            server?: "strict" | "filter" | "pass";
            /**
             * @default no-loss
             * @enum {string}
             */
            policy?: "no-loss" | "loss-ok";
            /** @enum {string} */
            rule: "key-added" | "key-added-required" | "key-removed" | "key-status" | "type-widened" | "type-narrowed" | "type-replaced" | "default-changed" | "unit-changed" | "number-changed" | "number-reused" | "resource-added" | "resource-removed" | "pattern-added" | "pattern-removed" | "id-pattern-changed" | "symbol-removed" | "method-removed" | "method-changed" | "version-removed" | "sunset-moved" | "loss-no" | "loss-hidden";
            path: string;
            /** @default  */
            where?: string;
            reason: string;
            /** Format: date-time */
            until: string;
        };
        /** @description Why an upgrade may go past what forbids its switch now. */
        NewWindowOverrideRequest: {
            reason: string;
        };
        /** @description A window or freeze with its name. */
        NewWindowRequest: {
            /** @enum {string} */
            effect: "allow" | "deny";
            /** @default UTC */
            zone?: string;
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default * */
            environment?: string;
            /** @default  */
            cron?: string;
            /** @default 0 */
            minutes?: number;
            /**
             * @description No switch begins so long before the window closes or the freeze opens.
             * @default 0
             */
            overrun_minutes?: number;
            /** @default  */
            starts?: string;
            /** @default  */
            ends?: string;
            /** @default  */
            reason?: string;
            /** @default  */
            ticket?: string;
            /**
             * @description Who may let an upgrade go past it: names of accounts, and roles as `role NAME`.
             * @default []
             */
            overriders?: string[];
            name: string;
        };
        /** @description A rule of one's own. */
        NotificationRule: {
            id: string;
            rev: number;
            events: string[];
            service: string;
            region: string;
            /** @enum {string} */
            pace: "at-once" | "hourly" | "daily";
            active: boolean;
        };
        /** @description How one is told. */
        NotificationSettings: {
            mail: string;
            /** @description This installation has a mail server. */
            sends_mail: boolean;
            hours: components["schemas"]["QuietHours"];
            rules: components["schemas"]["NotificationRule"][];
            sent: components["schemas"]["Delivery"][];
        };
        /** @description Whose conversions to record, or of which resource, for how long, how many, and why. */
        ObserveConversionsRequest: {
            /**
             * @description An account; empty for all.
             * @default
             */
            client?: string;
            /**
             * @description A name in either version; empty for all.
             * @default
             */
            resource?: string;
            /** @default 10 */
            minutes?: number;
            /**
             * @description How many conversions at most.
             * @default 100
             */
            records?: number;
            reason: string;
        };
        /** @description One opening. */
        Occurrence: {
            /** Format: date-time */
            opens: string;
            /** Format: date-time */
            closes: string;
            note: string;
        };
        /** @description An action, whether the caller may take it now, and if not, why and who could. */
        OfferedAction: {
            action: string;
            allowed: boolean;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            who_can: string[];
        };
        /** @description One person's turn. */
        OnCallTurn: {
            name: string;
            display_name: string;
            roles: string[];
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
        };
        OnCallTurnPage: {
            items: components["schemas"]["OnCallTurn"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A long operation. */
        Operation: {
            /** Format: uuid */
            id: string;
            rev: number;
            kind: string;
            /** @description What the kind is called; its name where it has no title. */
            kind_title?: string;
            target_kind: string;
            target_kind_title?: string;
            target: string;
            /** @enum {string} */
            state: "running" | "done" | "failed";
            requested_by: string;
            request_id: string;
            progress: {
                [key: string]: unknown;
            };
            result: {
                [key: string]: unknown;
            } | null;
            error: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        OperationPage: {
            items: components["schemas"]["Operation"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What one wants to know first. */
        Overview: {
            now: components["schemas"]["UpgradeCounts"];
            needs_you: components["schemas"]["Need"][];
            running: components["schemas"]["UpgradeSummary"][];
            skew: components["schemas"]["ServiceSkew"][];
            windows: components["schemas"]["WindowOpening"][];
            followed: components["schemas"]["FollowedDeployment"][];
            week: components["schemas"]["Week"];
            /** @description No upgrade was ever planned within the caller's scope. */
            first_use: boolean;
        };
        /** @description A passkey as its owner sees it. */
        Passkey: {
            id: number;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
        };
        /** @description A new passkey, with codes for the day it is lost where there were none; each works once, and they are shown once. */
        PasskeyAdded: {
            id: number;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            recovery_codes: string[];
        };
        /** @description What the browser answered with, as WebAuthn's JSON has it. */
        PasskeyAnswerRequest: {
            answer: {
                [key: string]: unknown;
            };
        };
        /** @description What the owner calls it. */
        PasskeyNameRequest: {
            name: string;
        };
        /** @description What the browser is asked, as WebAuthn's JSON has it. */
        PasskeyOptions: {
            publicKey: {
                [key: string]: unknown;
            };
        };
        PasskeyPage: {
            items: components["schemas"]["Passkey"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A passkey, and why an admin signs in by break-glass where that is needed. */
        PasskeySignInRequest: {
            answer: {
                [key: string]: unknown;
            };
            /** @default  */
            reason?: string;
        };
        /** @description The password of the signed-in person, and the code of a second factor where one is set up. */
        PasswordConfirmationRequest: {
            password: string;
            /** @default  */
            totp?: string;
        };
        /** @description Whether an account is open, a new password for it, and whether its second factors are lost. */
        PatchedChangeAccountRequest: {
            active?: boolean;
            password?: string;
            /** @description Takes its authenticator, passkeys and recovery codes away, and ends its sessions. */
            lost_second_factor?: boolean;
        };
        /** @description A resource that is being deleted, and who may refer to it. */
        PendingDeletion: {
            type: string;
            name: string;
            /** @enum {string} */
            state: "DELETE_PENDING" | "DELETING";
            /** Format: double */
            age_seconds: number;
            sources: string[];
            root: string;
            /** @description The first who block it within its own deployment. */
            blockers: components["schemas"]["Blocker"][];
        };
        /** @description A permission and what it lets one do. */
        Permission: {
            permission: string;
            title: string;
        };
        /** @description What was asked for. */
        PermissionRequest: {
            id: string;
            who: string;
            permission: string;
            what: string;
            link: string;
            comment: string;
            /** Format: date-time */
            at: string;
        };
        PermissionRequestPage: {
            items: components["schemas"]["PermissionRequest"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A piece of a sentence, as catalogues of other languages have it; pieces stand with a space between them. */
        Phrase: {
            /** @description Its English form. `{name}` is the place of a value; two forms with `|` between them are for one and for several of `count`. */
            key: string;
            values: {
                [key: string]: string | number;
            };
        };
        /** @description A policy as it is kept; revision 0 is what counts by default. */
        Policy: {
            /** @enum {string} */
            purpose: "switch" | "revert" | "evict" | "brownout";
            service: string;
            region: string;
            environment: string;
            needed: number;
            group: string;
            last_approver_may_run: boolean;
            expires_seconds: number;
            critical: boolean;
            window_needed: boolean;
            break_glass_group: string;
            /** @description Who votes after the first group, in order. */
            then: components["schemas"]["Stage"][];
            /** @description For `revert`: so long after the switch rolling back takes no votes. */
            free_seconds: number;
            /** @description Which upgrades of its scope are meant; `{}`: all of them. */
            about: components["schemas"]["UpgradeSelector"];
            /** @description Votes are void once a check fails that passed when one of them was given. Otherwise they bind to the plan, and the switch waits until every check passes. */
            void_when_worse: boolean;
            name: string;
            rev: number;
            updated_by: string;
        };
        /** @description How far the resources under a changed policy have been touched. */
        PolicyChange: {
            /** @description The policy holder; empty for the service's own. */
            scope: string;
            looked: number;
            changed: number;
            /** Format: double */
            open_seconds: number;
            /** @description The last resource looked at. */
            at: string;
            /** @description True in the second pass, which looks for late writes. */
            checking: boolean;
        };
        PolicyPage: {
            items: components["schemas"]["Policy"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What a policy would mean. */
        PolicyPreview: {
            seen: number;
            upgrades: components["schemas"]["PreviewedUpgrade"][];
            voters: string[];
        };
        /** @description What a policy says: how many must agree, from which group, and where it counts. */
        PolicyRulesRequest: {
            /** @enum {string} */
            purpose: "switch" | "revert" | "evict" | "brownout";
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default * */
            environment?: string;
            /** @default 1 */
            needed?: number;
            /** @default approver */
            group?: string;
            /** @default true */
            last_approver_may_run?: boolean;
            /** @default 86400 */
            expires_seconds?: number;
            /** @default false */
            critical?: boolean;
            /** @default false */
            window_needed?: boolean;
            /** @default admin */
            break_glass_group?: string;
            /**
             * @description Who votes after the first group, in order.
             * @default []
             */
            then?: components["schemas"]["StageRequest"][];
            /**
             * @description For `revert`: so long after the switch rolling back takes no votes.
             * @default 0
             */
            free_seconds?: number;
            /**
             * @description Which upgrades of its scope are meant; `{}`: all of them.
             * @default {}
             */
            about?: components["schemas"]["UpgradeSelectorRequest"];
            /**
             * @description Votes are void once a check fails that passed when one of them was given. Otherwise they bind to the plan, and the switch waits until every check passes.
             * @default false
             */
            void_when_worse?: boolean;
        };
        /** @description How a channel would be told, and of what. */
        PreviewHookRequest: {
            /**
             * @default signed
             * @enum {string}
             */
            format?: "signed" | "slack" | "teams" | "email";
            events: string[];
        };
        /** @description An upgrade that the policy matches, and whether it would have decided about it. */
        PreviewedUpgrade: {
            id: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            state: string;
            by: string;
            /** @description No other policy is more specific or stricter. */
            decides: boolean;
            decided_by: string;
        };
        /** @description How far the shards are, all together. */
        Progress: {
            copied: number;
            total: number;
            /** @description Some shards were not counted yet. */
            total_is_minimum: boolean;
            /** @description 100 only when every shard is known to be caught up; null: not counted yet. */
            percent: number | null;
            /** Format: double */
            rate_per_second: number;
            eta: components["schemas"]["Eta"] | null;
            eta_reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            eta_reason_phrases?: components["schemas"]["Phrase"][];
            /**
             * Format: double
             * @description Of the slowest shard, as of now; null: not every shard has measured one.
             */
            lag_seconds: number | null;
            /** @description Shards whose last report is too old to be believed. */
            unknown_shards: number;
            /**
             * Format: date-time
             * @description How old these figures are; null: no shard has reported.
             */
            oldest_report_at: string | null;
        };
        /** @description A secret to enter into an authenticator, and the rows of the QR code that holds it (1 is dark). */
        Proposal: {
            secret: string;
            uri: string;
            qr: string[];
        };
        /** @description One deployment in its wave, with the reasons why it stands there. */
        ProposedItem: {
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            /**
             * Format: double
             * @description What upgrades of its service took; null where unknown.
             */
            seconds: number | null;
            /**
             * Format: date-time
             * @description When a window or freeze lets it switch at the earliest, if its wave begins as expected; null where none is waited for.
             */
            not_before: string | null;
            reasons: string[];
            reason_phrases?: components["schemas"]["Phrase"][][];
        };
        /** @description Whether an identity provider answers. */
        Provider: {
            id: string;
            /** @description Null while unknown. */
            answers: boolean | null;
            /**
             * Format: date-time
             * @description Since when it does not.
             */
            since: string | null;
        };
        /** @description What shall become of a quarantined resource. */
        QuarantineActionRequest: {
            type: string;
            name: string;
            /** @enum {string} */
            verdict: "retry" | "waive";
            /** @default  */
            comment?: string;
        };
        /** @description A resource that could not be carried over. */
        QuarantinedResource: {
            shard: number;
            type: string;
            name: string;
            revision: number;
            error: string;
            code: string;
            attempts: number;
            /** Format: date-time */
            retry_at: string | null;
            state: string;
            changes_behind: number;
        };
        QuarantinedResourcePage: {
            items: components["schemas"]["QuarantinedResource"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A key of work that needs a person. */
        QuarantinedWork: {
            controller: string;
            key: string;
            code: string;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            remedy: string;
            /** @description The remedy in phrases; left out where it has none. */
            remedy_phrases?: components["schemas"]["Phrase"][];
            /** Format: date-time */
            since: string;
            attempts: number;
        };
        QuarantinedWorkPage: {
            items: components["schemas"]["QuarantinedWork"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One's hours. */
        QuietHours: {
            rev: number;
            zone: string;
            quiet_from: string | null;
            quiet_to: string | null;
            daily_at: string;
        };
        /** @description The impact. */
        Reach: {
            resources: number;
            /** @description false: `resources` is 0 because none were counted yet. */
            resources_counted: boolean;
            regions: components["schemas"]["RegionVersion"][];
            dependants: components["schemas"]["Dependant"][];
            callers: components["schemas"]["Caller"][];
            /** @description How many days back callers were looked for. */
            seen_days: number;
        };
        /** @description A version and whether this deployment could move to it. */
        ReachableVersion: {
            version: string;
            reachable: boolean;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description What stands between an upgrade and its switch; `not_before` is null when no window, freeze or plan forbids it now. */
        Readiness: {
            /** Format: date-time */
            not_before: string | null;
            checks: components["schemas"]["Check"][];
            approvals: components["schemas"]["ReadinessApprovals"];
            /** Format: double */
            predicted_freeze_ms: number | null;
        };
        /** @description How the approval stands. */
        ReadinessApprovals: {
            /** @description What it is for: `switch`, or `revert` while the upgrade can be rolled back. */
            purpose: string;
            needed: number;
            votes_given: number;
            request_id: string | null;
            state: string;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            policy: string;
            group: string;
            /** @description All groups in their order: `approver, then security`. */
            groups: string;
            /** @description By the policy, votes are void once a check that passed fails. */
            void_when_worse: boolean;
        };
        /** @description What an audit of references found. */
        ReferenceAudit: {
            findings: components["schemas"]["ConstraintFinding"][];
            more: boolean;
        };
        /** @description One reference; `version` is the one its source is stored in. */
        ReferenceEdge: {
            source: string;
            target: string;
            /** @enum {string} */
            kind: "BLOCK" | "CASCADE" | "UNSET" | "OWNER" | "WEAK";
            path: string;
            version: string;
        };
        /**
         * @description References that one field of one type makes by one rule, from or to one deployment.
         *
         *     `direction` is `in` for references to the resource. Service, region, version and type are those of the other
         *     end; of a deployment that may not be read the type is `hidden`, and only the count is shown.
         */
        ReferenceGroup: {
            /** @enum {string} */
            direction: "in" | "out";
            service: string;
            region: string;
            version: string;
            type: string;
            /** @description The field that refers, wherever it is, such as spec.keys[]. */
            field: string;
            /** @enum {string} */
            kind: "BLOCK" | "CASCADE" | "UNSET" | "OWNER" | "WEAK";
            count: number;
            /** @description False: there are at least so many. */
            is_exact: boolean;
        };
        /** @description The references around a resource, counted. */
        ReferenceGroups: {
            focus: components["schemas"]["ReferenceNode"];
            groups: components["schemas"]["ReferenceGroup"][];
            unknown: components["schemas"]["UnansweredDeployment"][];
        };
        /** @description A resource in the graph. */
        ReferenceNode: {
            id: string;
            name: string;
            type: string;
            service: string;
            region: string;
            version: string;
            /** @enum {string} */
            state: "ACTIVE" | "DELETE_PENDING" | "DELETING" | "MISSING" | "UNKNOWN";
            /**
             * Format: date-time
             * @description Known of those that were looked up.
             */
            changed_at: string | null;
        };
        /** @description The graph around a resource. */
        References: {
            focus: string;
            nodes: components["schemas"]["ReferenceNode"][];
            edges: components["schemas"]["ReferenceEdge"][];
            hidden: components["schemas"]["HiddenResources"];
            unknown: components["schemas"]["UnansweredDeployment"][];
        };
        /** @description The references that would break; `unknown` names services whose definition does not tell. */
        ReferencesAtStake: {
            breaking: components["schemas"]["BreakingReference"][];
            unknown: string[];
        };
        /** @description How many requests of one release of a client to one method were refused, or answered without the field. */
        RefusedClient: {
            client: string;
            release: string;
            method: string;
            requests: number;
            /** Format: date-time */
            last_seen: string;
        };
        /** @description A region. */
        Region: {
            name: string;
            title: string;
            rev: number;
        };
        RegionPage: {
            items: components["schemas"]["Region"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What a region serves; `here` is the one decided about. */
        RegionVersion: {
            region: string;
            version: string;
            here: boolean;
        };
        /** @description What a switch or a rollback would do now, in its order; `stopped` says what would end it early. */
        Rehearsal: {
            steps: components["schemas"]["RehearsedStep"][];
            /** Format: double */
            predicted_freeze_ms: number | null;
            stopped: string;
            /** @description The sentence in phrases; left out where it has none. */
            stopped_phrases?: components["schemas"]["Phrase"][];
        };
        /** @description What one step would do. */
        RehearsedStep: {
            step: string;
            text: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description A type, method, enum symbol or name pattern that has no counterpart in the new version. */
        Removal: {
            /** @enum {string} */
            rule: "method-removed" | "pattern-removed" | "resource-removed" | "symbol-removed";
            /** @description Its place, as the compatibility report names it. */
            path: string;
            /** @description The symbols, patterns, type or method. */
            what: string;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** @description Resources of it, that hold it or are named so; null where nothing is stored or the data cannot be read. */
            stored: number | null;
            /** @description Whether `stored` is an estimate by a sample. */
            is_estimate: boolean;
            /** @description Clients that were seen to use it. */
            callers: string[];
            /** @description Whether a waiver is in force; the switch asks for that. */
            accepted: boolean;
            waiver: components["schemas"]["Waiver"] | null;
            /** @description Of a type: where it is kept, and whether it was exported. */
            kept: components["schemas"]["KeptType"] | null;
        };
        RemovalPage: {
            items: components["schemas"]["Removal"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What shows a second factor now: one's own passkey, or a code of the authenticator or a recovery code. */
        RemovePasskeyRequest: {
            answer?: {
                [key: string]: unknown;
            };
            /** @default  */
            code?: string;
        };
        /** @description A field of the older version of an edge that has no counterpart in the newer one. */
        RemovedField: {
            /** @description The older version of the edge. */
            source: string;
            /** @description The newer version of the edge. */
            target: string;
            type: string;
            path: string;
            /** @description Whether the edge gives it up; else the edge says nothing of it. */
            written: boolean;
            /** @description At most three, the likeliest first. */
            candidates: components["schemas"]["FieldCandidate"][];
        };
        RemovedFieldPage: {
            items: components["schemas"]["RemovedField"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What clients would notice: by weight, what would break them, and what is not accepted yet. */
        ReportCounts: {
            counts: {
                [key: string]: number;
            };
            breaking: number;
            to_accept: number;
        };
        /** @description A public key (Ed25519) that shared run sheets are or were signed with. */
        ReportKey: {
            /** @description 32 bytes in base64 for addresses, without `=`. */
            key: string;
            /** @description Whether files are signed with it now. */
            current: boolean;
        };
        ReportKeyPage: {
            items: components["schemas"]["ReportKey"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One resource in every version. */
        Resource: {
            id: string;
            service: string;
            region: string;
            name: string;
            type: string;
            stored_version: string;
            revision: string;
            metadata: {
                [key: string]: unknown;
            };
            stored: {
                [key: string]: unknown;
            };
            bags: components["schemas"]["BagEntry"][];
            views: components["schemas"]["VersionView"][];
        };
        /**
         * @description One change of a resource, in the version that stored it.
         *
         *     `before` and `after` are null where there was no resource, and both for a change that is older than the log.
         */
        ResourceChange: {
            id: string;
            /** Format: date-time */
            at: string;
            version: string;
            /** @enum {string} */
            operation: "create" | "update" | "delete";
            type: string;
            name: string;
            /** Format: uuid */
            uid: string;
            revision: string;
            /** @description Empty when no request and no controller is known. */
            caller: string;
            request_id: string;
            /** @description The fields in which before and after differ. */
            changed: string[];
            before: components["schemas"]["Image"] | null;
            after: components["schemas"]["Image"] | null;
        };
        ResourceChangePage: {
            items: components["schemas"]["ResourceChange"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /**
         * @description Resources that were found, and what may be asked for; `more` when something was left out.
         *
         *     `building` names what has no answer yet: deployments that are copied to the version that was asked for.
         */
        ResourceMatches: {
            items: components["schemas"]["ReferenceNode"][];
            more: boolean;
            types: string[];
            versions: string[];
            unknown: components["schemas"]["UnansweredDeployment"][];
            building: components["schemas"]["FillingVersion"][];
        };
        /** @description One resource by its full name. */
        ResourceNameRequest: {
            name: string;
        };
        /** @description A resource type and the versions that have it. */
        ResourceType: {
            type: string;
            fqn: string;
            plural: string;
            versions: string[];
        };
        /** @description A page of resources; `hidden` are those that this version cannot name. */
        Resources: {
            service: string;
            region: string;
            active_version: string;
            version: string;
            versions: string[];
            type: string;
            types: string[];
            /** @enum {string} */
            how: "native" | "translated" | "preview";
            hidden: number;
            items: components["schemas"]["ListedResource"][];
            next_page_token: string;
        };
        /** @description The day from which a version is no longer meant to be used; null takes it back. */
        RetireRequest: {
            /** Format: date */
            retires_on: string | null;
            /** @default  */
            note?: string;
            /**
             * @description Retire although resources that only this version serves were not exported; the note says why.
             * @default false
             */
            accept_unexported?: boolean;
        };
        /** @description From which day a version is no longer meant to be used; no day when none is set. */
        Retirement: {
            rev: number;
            /** Format: date */
            retires_on: string | null;
            note: string;
            set_by: string;
            /** Format: date-time */
            set_at: string | null;
        };
        /** @description Which key shall go on. */
        RetryKeyRequest: {
            controller: string;
            key: string;
        };
        /** @description How careful to be, and why. */
        Risk: {
            /** @enum {string} */
            level: "low" | "medium" | "high";
            reasons: string[];
            /** @description Each of `reasons` in phrases. */
            reason_phrases?: components["schemas"]["Phrase"][][];
        };
        /** @description A role and its permissions; one that is built in has the revision 0 and stays as it is. */
        Role: {
            role: string;
            title: string;
            /** @description It was made here; the others are built in. */
            made: boolean;
            rev: number;
            permissions: components["schemas"]["Permission"][];
            changed_by: string;
            /** Format: date-time */
            changed_at: string | null;
        };
        RolePage: {
            items: components["schemas"]["Role"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What a role is for, and what it carries. */
        RoleRulesRequest: {
            /** @default  */
            title?: string;
            permissions: string[];
        };
        /** @description A rollout with what it offers. */
        Rollout: {
            id: string;
            rev: number;
            title: string;
            comment: string;
            /** @enum {string} */
            state: "PLANNED" | "RUNNING" | "PAUSED" | "DONE" | "STOPPED";
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            reason_phrases?: components["schemas"]["Phrase"][];
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            wave: number | null;
            max_parallel: number;
            pause_seconds: number;
            /** @description Names every deployment's plan, the order and the pace. */
            plan_digest: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            waves: components["schemas"]["RolloutItem"][][];
            actions: components["schemas"]["AvailableAction"][];
        };
        /**
         * @description What goes with an action: for `retry` and `skip` the deployment, for `skip` and `stop` the reason,
         *     for `start` and `replan` what was looked at.
         */
        RolloutActionRequest: {
            /** @default  */
            deployment?: string;
            /** @default  */
            comment?: string;
            /**
             * @description For `start`: the plan to begin; 412 when it is another one by now.
             * @default
             */
            plan_digest?: string;
            /**
             * @description For `replan`: the proposal to take; 412 when it is another one by now.
             * @default
             */
            proposal_digest?: string;
        };
        /** @description One deployment in its wave. */
        RolloutItem: {
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "failed" | "skipped";
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            reason_phrases?: components["schemas"]["Phrase"][];
            upgrade_id: string;
            /** @enum {string} */
            upgrade_state: "PLANNED" | "SYNCING" | "READY" | "SWITCHING" | "REVERSIBLE" | "COMPLETED" | "ABORTED" | "REVERTING" | "REVERTED" | "HALTED" | "HANDED_OVER";
            /** @description The plan that the rollout begins, and no other. */
            plan_digest: string;
            /** @description Its upgrade has another plan by now. */
            plan_changed: boolean;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            ready: number;
            total: number;
            /** @description null: not counted yet. */
            percent: number | null;
            /** Format: double */
            lag_seconds: number | null;
            /** @description Shards whose last report is too old to be believed. */
            unknown_shards: number;
            /** Format: date-time */
            oldest_report_at: string | null;
            /** @description Something holds its upgrade up. */
            blocked: boolean;
            /**
             * Format: double
             * @description The pause of writes of its switch; null before it.
             */
            freeze_ms: number | null;
            /** Format: date-time */
            reversible_until: string | null;
            /** Format: date-time */
            settled_at: string | null;
        };
        RolloutPage: {
            items: components["schemas"]["RolloutSummary"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Waves in which no intermediate state breaks an importer. */
        RolloutProposal: {
            /** @enum {string} */
            kind: "balanced" | "fastest" | "safest";
            target_version: string;
            /**
             * Format: double
             * @description Of all waves one after the other, with what they wait for windows; null where one is unknown.
             */
            seconds: number | null;
            waves: components["schemas"]["ProposedItem"][][];
            left_out: components["schemas"]["LeftOut"][];
        };
        RolloutProposalPage: {
            items: components["schemas"]["RolloutProposal"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A rollout that was not kept. */
        RolloutRehearsal: {
            possible: boolean;
            /** @description Names the plan; empty when a deployment cannot be planned. */
            plan_digest: string;
            items: components["schemas"]["RolloutRehearsalItem"][];
        };
        /** @description What the plan of one deployment would come to. */
        RolloutRehearsalItem: {
            deployment: string;
            wave: number;
            possible: boolean;
            checks: components["schemas"]["Check"][];
            problem: {
                [key: string]: unknown;
            } | null;
            prospects: components["schemas"]["UpgradeForecast"] | null;
        };
        /** @description Whether the waves that a rollout did not begin still hold by the facts of now, and the ones proposed instead. */
        RolloutRest: {
            holds: boolean;
            reasons: string[];
            reason_phrases?: components["schemas"]["Phrase"][][];
            /** @description Names the proposed waves, for `replan`. */
            digest: string;
            proposal: components["schemas"]["RolloutProposal"];
        };
        /** @description A rollout with its waves. */
        RolloutSummary: {
            id: string;
            rev: number;
            title: string;
            comment: string;
            /** @enum {string} */
            state: "PLANNED" | "RUNNING" | "PAUSED" | "DONE" | "STOPPED";
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            reason_phrases?: components["schemas"]["Phrase"][];
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            wave: number | null;
            max_parallel: number;
            pause_seconds: number;
            /** @description Names every deployment's plan, the order and the pace. */
            plan_digest: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            waves: components["schemas"]["RolloutItem"][][];
        };
        /** @description A version of the services that were asked about; `reachable` where all of them can go there. */
        RolloutTarget: {
            version: string;
            reachable: boolean;
            unreachable: components["schemas"]["UnreachableDeployment"][];
        };
        RolloutTargetPage: {
            items: components["schemas"]["RolloutTarget"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description The curves, as columns. */
        Samples: {
            at: string[];
            ready: number[];
            lag_p50: (number | null)[];
            lag_p95: (number | null)[];
            lag_max: (number | null)[];
            rate: number[];
            write_p95: (number | null)[];
        };
        /** @description What to keep. */
        SaveViewRequest: {
            query: string;
            /** @default false */
            first?: boolean;
            /** @default false */
            shared?: boolean;
            /**
             * @description Takes `policy.write`.
             * @default false
             */
            everybody?: boolean;
        };
        /** @description Whether signing in asks for a code, and how many spare codes are left. */
        SecondFactor: {
            is_set: boolean;
            recovery_codes_left: number;
        };
        /** @description One release of a client as it names itself; nothing is decided by what it says of its release. */
        SeenClient: {
            client: string;
            release: string;
            messages: number;
            /** Format: date */
            last_seen_on: string;
        };
        /** @description A service. */
        Service: {
            name: string;
            display_name: string;
            versions: string[];
            imports: components["schemas"]["ServiceImport"][];
            uses: string[];
            regions: string[];
            control_region: string;
            automatic: boolean;
            rev: number;
        };
        /** @description Where the service runs, and what. */
        ServiceDeployment: {
            region: string;
            current_version: string;
        };
        /** @description Everything about one service; `raw` is its message in the registry's own words. */
        ServiceDetail: {
            name: string;
            display_name: string;
            versions: string[];
            imports: components["schemas"]["ServiceImport"][];
            uses: string[];
            regions: string[];
            control_region: string;
            automatic: boolean;
            rev: number;
            resource_types: components["schemas"]["ResourceType"][];
            type_changes: components["schemas"]["TypeChange"][];
            deployments: components["schemas"]["ServiceDeployment"][];
            importers: string[];
            imported_by: components["schemas"]["Importer"][];
            /** @description By version. */
            retirements: {
                [key: string]: components["schemas"]["Retirement"];
            };
            fingerprint: string | null;
            raw: {
                [key: string]: unknown;
            };
        };
        /** @description The files of a service folder: path to content in base64. */
        ServiceFolderRequest: {
            files: {
                [key: string]: string;
            };
        };
        /** @description Which version of an import one version uses. */
        ServiceImport: {
            service: string;
            version: string;
            for_version: string;
        };
        ServicePage: {
            items: components["schemas"]["Service"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description On which versions the deployments of a service are. */
        ServiceSkew: {
            service: string;
            versions: components["schemas"]["VersionCount"][];
        };
        /** @description From when until when a region served a version. */
        ServingPeriod: {
            region: string;
            version: string;
            /**
             * Format: date-time
             * @description Null where it was not noted.
             */
            since: string | null;
            /**
             * Format: date-time
             * @description Null of what is served now.
             */
            until: string | null;
        };
        ServingPeriodPage: {
            items: components["schemas"]["ServingPeriod"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description The session, also without a sign-in. */
        Session: {
            account: components["schemas"]["SignedInAccount"] | null;
            csrf_token: string;
            /** Format: date-time */
            server_time: string;
            environment: string;
            version: string;
            /** @description Ways to sign in beside a name and a password. */
            providers: components["schemas"]["SignInAddress"][];
            /**
             * @description Whether a name and a password are enough, and for whom.
             * @enum {string}
             */
            local_sign_in: "on" | "emergency" | "off";
            /** @description The host name under which passkeys work; empty where they do not. */
            passkey_host: string;
            session_limits: components["schemas"]["SessionLimits"];
            /** @description This session signed in by break-glass. */
            emergency: components["schemas"]["BreakGlassSession"] | null;
        };
        /** @description When a session ends by itself. */
        SessionLimits: {
            /** @description So long after signing in. */
            hours: number;
            /** @description So long after a person last did something. */
            idle_minutes: number;
        };
        /** @description The newest report of one shard. */
        Shard: {
            shard: number;
            /** @enum {string} */
            state: "pending" | "syncing" | "ready" | "switching" | "switched" | "regressed" | "failed" | "unknown";
            stage: string;
            copied: number;
            total: number;
            applied: number;
            failed: number;
            /** Format: double */
            lag_seconds: number | null;
            /** Format: double */
            rate_per_second: number;
            error: string;
            throttled: string;
            /** @description The sentence in phrases; left out where it has none. */
            throttled_phrases?: components["schemas"]["Phrase"][];
            /** @description How often it fell back after it was caught up. */
            falls: number;
            /** @description The worker that reported last: `host:process`. */
            node: string;
            /** Format: date-time */
            reported_at: string | null;
        };
        /** @description Changes of the states of shards as columns, oldest first. */
        ShardChanges: {
            shard: number[];
            at: string[];
            state: ("pending" | "syncing" | "ready" | "switching" | "switched" | "regressed" | "failed" | "unknown")[];
            /** @description Whether none was left out for their number. */
            complete: boolean;
        };
        /** @description The start of the last comparison of each whole shard that ended without a difference, before the switch; as columns. */
        ShardComparisons: {
            shard: number[];
            at: string[];
        };
        /** @description How many shards an upgrade had and has, and since when; its counts began again then. */
        ShardCountChange: {
            before: number;
            after: number;
            /** Format: date-time */
            at: string;
        };
        /** @description A moment at which a shard came into another state or stage. */
        ShardTransition: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            state: "pending" | "syncing" | "ready" | "switching" | "switched" | "regressed" | "failed" | "unknown";
            stage: string;
            copied: number;
            applied: number;
            error: string;
        };
        ShardTransitionPage: {
            items: components["schemas"]["ShardTransition"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description All shards. */
        Shards: {
            total: number;
            ready: number;
            items: components["schemas"]["Shard"][];
        };
        /** @description A request for approval, with the checks as they were then. */
        SheetRequest: {
            /** Format: date-time */
            at: string;
            who: string;
            purpose: string;
            evidence: components["schemas"]["Check"][];
        };
        /** @description A step of the switch. */
        SheetSwitchStep: {
            step: string;
            /** Format: date-time */
            at: string;
            /** Format: double */
            took_seconds: number | null;
            state: string;
        };
        /** @description A vote; `void` says why it does not count any more. `evidence` holds the checks as they were then. */
        SheetVote: {
            /** Format: date-time */
            at: string;
            who: string;
            verdict: string;
            purpose: string;
            void: string;
            /** @description The sentence in phrases; left out where it has none. */
            void_phrases?: components["schemas"]["Phrase"][];
            evidence: components["schemas"]["Check"][];
        };
        /** @description The time zone to be shown. */
        ShownZoneRequest: {
            /**
             * @description `utc`, `mine` for that of the browser, `region` for that of a page's region.
             * @enum {string}
             */
            zone: "utc" | "mine" | "region";
        };
        /** @description An identity provider, and where signing in by it begins. */
        SignInAddress: {
            id: string;
            name: string;
            url: string;
        };
        SignInProviderPage: {
            items: components["schemas"]["Provider"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A name, a password, and the code of a second factor where one is set up. */
        SignInRequest: {
            username: string;
            password: string;
            totp?: string;
            /**
             * @description Why an admin signs in by break-glass, in 20 characters or more.
             * @default
             */
            reason?: string;
        };
        /** @description Who is signed in. */
        SignedInAccount: {
            name: string;
            email: string;
            kind: string;
            roles: string[];
            permissions: string[];
            /** @description Where what they are shown lies, such as `* @ eu-*`; empty when nothing is left out. */
            reach: string[];
            /** @description Where each permission to change something holds that does not hold everywhere. */
            bounds: {
                [key: string]: string[];
            };
            /** @description The time zone they chose to be shown, as `PUT /session/zone` takes it. */
            zone: string;
        };
        /** @description How the author of a version declared something. */
        SourceExcerpt: {
            file: string;
            line: number;
            lines: string[];
            /** @description Lines of the declaration beyond those. */
            left_out: number;
        };
        /** @description Codes for the day the authenticator is lost; each works once, and they are shown once. */
        SpareCodes: {
            recovery_codes: string[];
        };
        /** @description So many of one group, who vote after those before them. */
        Stage: {
            group: string;
            needed: number;
        };
        /** @description So many of one group, who vote after those before them. */
        StageRequest: {
            group: string;
            /** @default 1 */
            needed?: number;
        };
        /** @description One group in its turn: how many of it must agree, and how many have. */
        StageVotes: {
            group: string;
            needed: number;
            votes_given: number;
        };
        /** @description Since when no worker has reported. */
        Stall: {
            /** Format: date-time */
            since: string;
            shards: number[];
            sentence: string;
            causes: string[];
        };
        /** @description One step of the stepper. */
        Step: {
            step: string;
            /** @enum {string} */
            state: "done" | "current" | "todo" | "failed" | "skipped";
            /** Format: date-time */
            started_at: string | null;
            /** Format: double */
            took_seconds: number | null;
            who: string;
            /** @description Details, where they are known. */
            text: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description Why a brown-out is stopped. */
        StopBrownOutRequest: {
            /** @default  */
            reason?: string;
        };
        /** @description Why it ends. */
        StopDefinitionRolloutRequest: {
            /** @default  */
            reason?: string;
        };
        /** @description How many stored resources hold a field, lack it, or hold what its new type is not. */
        StoredCount: {
            /** @enum {string} */
            kind: "holding" | "lacking" | "misfit" | "symbol";
            /** @description How many; of a sample an estimate. */
            resources: number;
            of: number;
            looked_at: number;
            /** @enum {string} */
            by: "count" | "sample";
            /** @description With a confidence of 95 % where a sample has none. */
            at_most: number;
        };
        /** @description A deployment whose deletions another one follows. */
        Subscription: {
            service: string;
            region: string;
            /**
             * @description `unknown` when it was not heard of for a minute.
             * @enum {string}
             */
            state: "following" | "unknown" | "quarantined";
            /** @description Where the present round goes on; empty between two rounds. */
            position: string;
            /**
             * Format: double
             * @description Deletions before that are heard of and carried on; none before a first round.
             */
            behind_seconds: number | null;
            /** @description Resources being deleted there that may be referred to here. */
            waiting: number;
            problem: string;
            /** @description The sentence in phrases; left out where it has none. */
            problem_phrases?: components["schemas"]["Phrase"][];
        };
        /** @description An upgrade that switched, and for how long it paused writes. */
        Switch: {
            id: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            /** Format: date-time */
            at: string;
            /** Format: double */
            freeze_ms: number | null;
        };
        /** @description Whether a deployment may switch at an instant. */
        SwitchPermission: {
            deployment: string;
            environment: string;
            /** Format: date-time */
            at: string;
            allowed: boolean;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            winner: string;
            considered: string[];
            /** @description Each of `considered` in phrases. */
            considered_phrases?: components["schemas"]["Phrase"][][];
            /** Format: date-time */
            next_open: string | null;
            /** @description Who may override what forbids it. */
            overriders: string[];
            /** @description Whether you may. */
            may_override: boolean;
            /** @description Why you may not. */
            override_refusal: string;
            /** @description The sentence in phrases; left out where it has none. */
            override_refusal_phrases?: components["schemas"]["Phrase"][];
        };
        /** @description One step of the switch itself. */
        SwitchStep: {
            step: string;
            state: string;
            text: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** Format: double */
            took_seconds: number | null;
        };
        /** @description One line of the story. */
        TimelineEntry: {
            seq: number;
            /** Format: date-time */
            at: string;
            who: string;
            kind: string;
            text: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            details: {
                [key: string]: unknown;
            };
        };
        /** @description A token, without its secret. */
        Token: {
            id: string;
            account: string;
            name: string;
            scopes: string[];
            networks: string[];
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            last_used_from: string | null;
            /** Format: date-time */
            revoked_at: string | null;
        };
        TokenPage: {
            items: components["schemas"]["Token"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A new token with its secret, which is never shown again. */
        TokenWithSecret: {
            id: string;
            account: string;
            name: string;
            scopes: string[];
            networks: string[];
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            last_used_from: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            secret: string;
        };
        /** @description The upgrade came into another state. */
        Transition: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            state: "PLANNED" | "SYNCING" | "READY" | "SWITCHING" | "REVERSIBLE" | "COMPLETED" | "ABORTED" | "REVERTING" | "REVERTED" | "HALTED" | "HANDED_OVER";
            who: string;
        };
        /** @description A resource type that becomes several in the next version, or several that become one. */
        TypeChange: {
            /** @enum {string} */
            kind: "split" | "merge";
            /** @description The older version. */
            before: string;
            /** @description The next version. */
            after: string;
            /** @description Types of the older version. */
            types_before: string[];
            /** @description What they become in the next version. */
            types_after: string[];
            /** @description The field of the one type that tells the several apart. */
            by: string;
        };
        /** @description A deployment that did not answer. */
        UnansweredDeployment: {
            service: string;
            region: string;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description Why what was asked for last was not done. */
        UnfulfilledRequest: {
            /** Format: date-time */
            at: string;
            text: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description A deployment that cannot go to a version, and why. */
        UnreachableDeployment: {
            deployment: string;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
        };
        /** @description An upgrade with its steps, its readiness and its actions. */
        Upgrade: {
            id: string;
            rev: number;
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            /** @enum {string} */
            kind: "version" | "location" | "data" | "shards";
            /** @enum {string} */
            state: "PLANNED" | "SYNCING" | "READY" | "SWITCHING" | "REVERSIBLE" | "COMPLETED" | "ABORTED" | "REVERTING" | "REVERTED" | "HALTED" | "HANDED_OVER";
            paused: boolean;
            request: string;
            meta_stage: string;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            automatic: boolean;
            /** @description Resources a second at most; null: unbounded. */
            copy_limit: number | null;
            requested_by: string;
            comment: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            plan_digest: string;
            shards: components["schemas"]["Shards"];
            progress: components["schemas"]["Progress"];
            quarantined_count: number;
            stall: components["schemas"]["Stall"] | null;
            blockages: components["schemas"]["Blockage"][];
            /** Format: date-time */
            reversible_until: string | null;
            /**
             * Format: double
             * @description For how long the switch held writes; null before it.
             */
            freeze_ms: number | null;
            /**
             * Format: double
             * @description For how long the rollback held writes; null before it.
             */
            rollback_freeze_ms: number | null;
            /** @description Null: it copies and compares as fast as it can. */
            paced: components["schemas"]["CopyPacing"] | null;
            steps: components["schemas"]["Step"][];
            /** @description What the start went by; while it is planned, what it would go by now. */
            preflight: components["schemas"]["Check"][];
            switch_steps: components["schemas"]["SwitchStep"][];
            readiness: components["schemas"]["Readiness"];
            actions: components["schemas"]["AvailableAction"][];
            data_tasks: components["schemas"]["DataTask"][];
            /** @description Only in a dry run of switch and rollback. */
            rehearsal?: components["schemas"]["Rehearsal"];
            plan: {
                [key: string]: unknown;
            };
            /** @description The operation that carries out what was asked last; empty when none does. */
            operation_id: string;
            /** @description Where it goes on, of one that was handed over; empty of all others. */
            handed_over_to: string;
            undone: components["schemas"]["UnfulfilledRequest"] | null;
        };
        /** @description What goes with an action: words for the record; `reason` and `ticket` also override approval by break-glass. */
        UpgradeActionRequest: {
            /** @default  */
            comment?: string;
            /** @default  */
            ticket?: string;
            /**
             * @description For `extend`: how long from now.
             * @default 0
             */
            hours?: number;
            /** @description For `retry-shard`. */
            shard?: number;
            /**
             * @description For `throttle`: so many resources a second at most; null for no bound.
             * @default null
             */
            limit?: number | null;
            /** @description For `edit`: whether it switches by itself. */
            automatic?: boolean;
            /**
             * Format: date-time
             * @description For `edit`: when the switch may happen at the earliest.
             */
            not_before?: string | null;
            /** @description For `edit`: how long rollback stays possible. */
            rollback_hours?: number;
        };
        /** @description How many upgrades are in which situation. */
        UpgradeCounts: {
            running: number;
            waiting_mine: number;
            waiting_others: number;
            stalled: number;
            failed: number;
            reversible: number;
        };
        UpgradeEventPage: {
            items: components["schemas"]["TimelineEntry"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What lies before it; `resources` as of the last copy, null when there was none. */
        UpgradeForecast: {
            policy: components["schemas"]["ForecastPolicy"];
            window: components["schemas"]["ForecastWindow"];
            resources: number | null;
            took: components["schemas"]["CopyDuration"] | null;
            rollback: string;
            /** @description The sentence in phrases; left out where it has none. */
            rollback_phrases?: components["schemas"]["Phrase"][];
            dependants: components["schemas"]["Dependant"][];
        };
        /** @description How far the upgrade shall come. */
        UpgradeMilestoneRequest: {
            /** @enum {string} */
            until: "ready" | "switched" | "complete";
        };
        UpgradePage: {
            items: components["schemas"]["UpgradeSummary"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Which upgrades are meant; all that is named must hold, and what is left out asks for nothing. */
        UpgradeSelector: {
            /** @description Its version until now: a name, or a pattern. */
            from_version?: string;
            /** @description Its new version: a name, or a pattern. */
            to_version?: string;
            kinds?: ("version" | "location" | "data" | "shards")[];
            /** @description Only those after whose switch the old version is not kept current. */
            without_rollback?: boolean;
        };
        /** @description Which upgrades are meant; all that is named must hold, and what is left out asks for nothing. */
        UpgradeSelectorRequest: {
            /** @description Its version until now: a name, or a pattern. */
            from_version?: string;
            /** @description Its new version: a name, or a pattern. */
            to_version?: string;
            kinds?: ("version" | "location" | "data" | "shards")[];
            /** @description Only those after whose switch the old version is not kept current. */
            without_rollback?: boolean;
        };
        /** @description An upgrade as lists show it. */
        UpgradeSummary: {
            id: string;
            rev: number;
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            /** @enum {string} */
            kind: "version" | "location" | "data" | "shards";
            /** @enum {string} */
            state: "PLANNED" | "SYNCING" | "READY" | "SWITCHING" | "REVERSIBLE" | "COMPLETED" | "ABORTED" | "REVERTING" | "REVERTED" | "HALTED" | "HANDED_OVER";
            paused: boolean;
            request: string;
            meta_stage: string;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            automatic: boolean;
            /** @description Resources a second at most; null: unbounded. */
            copy_limit: number | null;
            requested_by: string;
            comment: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            plan_digest: string;
            shards: components["schemas"]["Shards"];
            progress: components["schemas"]["Progress"];
            quarantined_count: number;
            stall: components["schemas"]["Stall"] | null;
            blockages: components["schemas"]["Blockage"][];
            /** Format: date-time */
            reversible_until: string | null;
            /**
             * Format: double
             * @description For how long the switch held writes; null before it.
             */
            freeze_ms: number | null;
            /**
             * Format: double
             * @description For how long the rollback held writes; null before it.
             */
            rollback_freeze_ms: number | null;
        };
        /** @description Who used which version of a service; `uncounted` messages of any service found no room to be counted. */
        Usage: {
            service: string;
            days: number;
            /** Format: date */
            since: string;
            uncounted: number;
            versions: components["schemas"]["VersionUse"][];
        };
        /** @description A version, a resource type or a field: who uses it, what is proved, and when it may go. */
        UsedPlace: {
            /** @enum {string} */
            kind: "version" | "type" | "method" | "field";
            /** @description The version, the type, or type and path, such as Box.lid.colour. */
            place: string;
            deprecated_since: string | null;
            /** Format: date */
            sunset: string | null;
            replaced_by: string;
            /** @description Who sent it or named it in a mask, filter or order; who writes. */
            senders: components["schemas"]["SeenClient"][];
            /** @description To whom answers returned it; who reads. */
            readers: components["schemas"]["SeenClient"][];
            /** Format: date */
            last_used_on: string | null;
            answers_looked_into: number;
            /** @description Of the answers that were looked into. */
            answers_with_it: number;
            /**
             * Format: double
             * @description Half of the 95 % interval of the share of answers that returned it.
             */
            share_error: number;
            /** @description Messages of the window that would have shown a use. */
            messages: number;
            observed_days: number;
            /** @description The longest pause of a client in thirteen months, and 35 days at least. */
            period_days: number;
            proved_unused: boolean;
            /**
             * Format: double
             * @description That a use by one message in a thousand would have been seen; 0 where it was.
             */
            confidence: number;
            /** @description What is lacking to the proof. */
            reasons: string[];
            /** @description Each of `reasons` in phrases. */
            reason_phrases?: components["schemas"]["Phrase"][][];
            /**
             * Format: date
             * @description The earliest day, if no client uses it from now on; null where unknown.
             */
            removable_on: string | null;
        };
        UsedPlacePage: {
            items: components["schemas"]["UsedPlace"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description How many clients called a version in the upgrade's region, before the switch and since. */
        VersionCallers: {
            version: string;
            before_switch: number;
            /** @description null: there was no switch. */
            since_switch: number | null;
        };
        /** @description How many deployments of a service are on a version. */
        VersionCount: {
            version: string;
            count: number;
        };
        /** @description Who used a version. */
        VersionUse: {
            version: string;
            messages: number;
            /** Format: date-time */
            last_seen: string;
            clients: components["schemas"]["ClientUse"][];
        };
        /** @description The resource in one version, or why that version has none. */
        VersionView: {
            version: string;
            /** @enum {string} */
            how: "native" | "translated" | "preview" | "would be";
            type: string | null;
            name: string | null;
            document: {
                [key: string]: unknown;
            } | null;
            reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            reason_phrases?: components["schemas"]["Phrase"][];
            steps: components["schemas"]["ConversionStep"][];
        };
        /** @description A view of a list: what its address says, under a name. */
        View: {
            name: string;
            query: string;
            first: boolean;
            shared: boolean;
            /** @description The page opens with it for who chose none of their own. */
            everybody: boolean;
            owner: string;
        };
        ViewPage: {
            items: components["schemas"]["View"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One person's word. */
        Vote: {
            who: string;
            /** @enum {string} */
            verdict: "approve" | "reject" | "changes";
            comment: string;
            /** Format: date-time */
            at: string;
            round: number;
            void_reason: string;
            /** @description The sentence in phrases; left out where it has none. */
            void_phrases?: components["schemas"]["Phrase"][];
        };
        /** @description What the voter has to say. */
        VoteCommentRequest: {
            /** @default  */
            comment?: string;
        };
        /** @description A finding that is accepted until a day, once another person approved. */
        Waiver: {
            id: string;
            service: string;
            before: string;
            after: string;
            rule: string;
            path: string;
            where: string;
            change: string;
            reason: string;
            /** Format: date-time */
            until: string;
            /** @enum {string} */
            state: "asked" | "in-force" | "expired" | "used" | "ended";
            asked_by: string;
            /** Format: date-time */
            asked_at: string;
            approved_by: string;
            /** Format: date-time */
            approved_at: string | null;
            ended_by: string;
            /** Format: date-time */
            ended_at: string | null;
            /** @description The fingerprint of the definition that was applied with it. */
            used_for: string;
            /** @description Of a change in place: the decision when the waiver was asked for; null of findings. */
            decision: components["schemas"]["ChangeDecision"] | null;
        };
        WaiverPage: {
            items: components["schemas"]["Waiver"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What a change would mean for upgrades under way. */
        Warnings: {
            warnings: string[];
            /** @description Each of `warnings` in phrases. */
            warning_phrases: components["schemas"]["Phrase"][][];
        };
        /** @description What was switched in the last seven days; null where no switch has a figure. */
        Week: {
            switches: number;
            rolled_back: number;
            /** Format: double */
            median_freeze_ms: number | null;
            /** Format: double */
            longest_freeze_ms: number | null;
            newest: components["schemas"]["Switch"][];
        };
        /** @description A window as it is kept, with its next openings. */
        Window: {
            /** @enum {string} */
            effect: "allow" | "deny";
            zone: string;
            service: string;
            region: string;
            environment: string;
            cron: string;
            minutes: number;
            /** @description No switch begins so long before the window closes or the freeze opens. */
            overrun_minutes: number;
            starts: string;
            ends: string;
            reason: string;
            ticket: string;
            /** @description Who may let an upgrade go past it: names of accounts, and roles as `role NAME`. */
            overriders: string[];
            name: string;
            rev: number;
            created_by: string;
            next: components["schemas"]["Occurrence"][];
        };
        /** @description A window or freeze that is open, or opens within a day. */
        WindowOpening: {
            name: string;
            effect: string;
            /** Format: date-time */
            opens: string;
            /** Format: date-time */
            closes: string;
            open: boolean;
        };
        /** @description Whether a deployment may switch now, and until when, or from when on. */
        WindowOutlook: {
            allowed: boolean;
            sentence: string;
            /** @description The sentence in phrases; left out where it has none. */
            phrases?: components["schemas"]["Phrase"][];
            /** @description The window or freeze that says so. */
            rule: string;
            /** Format: date-time */
            opens: string | null;
            /** Format: date-time */
            closes: string | null;
        };
        /** @description What was lifted for one upgrade, and until when. */
        WindowOverride: {
            rules: string[];
            who: string;
            reason: string;
            /** Format: date-time */
            until: string;
        };
        WindowPage: {
            items: components["schemas"]["Window"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description When a window or freeze is open: by cron and minutes, or from one local time to another. */
        WindowRulesRequest: {
            /** @enum {string} */
            effect: "allow" | "deny";
            /** @default UTC */
            zone?: string;
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default * */
            environment?: string;
            /** @default  */
            cron?: string;
            /** @default 0 */
            minutes?: number;
            /**
             * @description No switch begins so long before the window closes or the freeze opens.
             * @default 0
             */
            overrun_minutes?: number;
            /** @default  */
            starts?: string;
            /** @default  */
            ends?: string;
            /** @default  */
            reason?: string;
            /** @default  */
            ticket?: string;
            /**
             * @description Who may let an upgrade go past it: names of accounts, and roles as `role NAME`.
             * @default []
             */
            overriders?: string[];
        };
        /** @description A stretch of time, whether a switch is allowed in it, and the rule that says so (none: no rule does). */
        WindowSpan: {
            /** Format: date-time */
            opens: string;
            /** Format: date-time */
            closes: string;
            allowed: boolean;
            winner: string;
        };
        WindowSpanPage: {
            items: components["schemas"]["WindowSpan"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One class of background work. */
        WorkClass: {
            work_class: string;
            /**
             * Format: double
             * @description Its share of worker time; null: it goes before all others.
             */
            share: number | null;
            /** @description How many of its keys are due, and no worker holds them. */
            due: number;
            /**
             * Format: double
             * @description For how long the first of them has been due.
             */
            late_seconds: number;
            /**
             * Format: double
             * @description Time that workers used for it so far.
             */
            used_seconds: number;
        };
        /** @description A check that passed when an approval was given that counts, and fails now. */
        WorseCheck: {
            check: string;
            /** @description Who voted then, the newest of them. */
            who: string;
            /** Format: date-time */
            at: string;
            /** @description What it said when they voted. */
            then: string;
            /** @description The sentence in phrases; left out where it has none. */
            then_phrases?: components["schemas"]["Phrase"][];
            now: string;
            /** @description The sentence in phrases; left out where it has none. */
            now_phrases?: components["schemas"]["Phrase"][];
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            instance?: string;
            code: string;
            remedy?: string;
            request_id: string;
            phrases?: components["schemas"]["Phrase"][];
            remedy_phrases?: components["schemas"]["Phrase"][];
            errors?: {
                path: string;
                message: string;
                remedy?: string;
                code?: string;
                phrases?: components["schemas"]["Phrase"][];
                remedy_phrases?: components["schemas"]["Phrase"][];
            }[];
            who_can?: string[];
            /** @description On 403, the permission that is missing. */
            permission?: string;
            retry_after?: number;
            /** @description On 409, the upgrade that holds the deployment. */
            upgrade_id?: string;
            /** @description Of several requests that are sent as one, the place of the one that is refused. */
            failed_request?: number;
            /** @description On 410, the page that tells what became of it. */
            link?: string;
            /** @description On 412, the current representation. */
            current?: unknown;
            /** @description On 412, who changed it last, when, and what they did; empty where Switchyard did. */
            changed?: {
                who: string;
                /** Format: date-time */
                at: string;
                what: string;
                what_phrases?: components["schemas"]["Phrase"][];
            } | null;
        };
        MetaError: {
            /** @description The HTTP status. */
            code: number;
            message: string;
            /** @description The google.rpc status name. */
            status: string;
            details: Record<string, never>[];
            /** @description The stable code. */
            reason: string;
            type: string;
            title: string;
            detail: string;
            instance?: string;
            remedy?: string;
            request_id?: string;
        };
        /** @description One change of one thing: it is now `full`, `patch` lies over it, or it is gone. */
        StreamEvent: {
            /** @enum {unknown} */
            op: "event";
            seq: number;
            ts: string;
            topic: string;
            kind: string;
            id: string;
            rev: number;
            full?: {
                [key: string]: unknown;
            };
            patch?: {
                [key: string]: unknown;
            };
            gone?: boolean;
        };
        /** @description The first message, with the number from which on events come. */
        StreamHello: {
            /** @enum {unknown} */
            op: "hello";
            server_time: string;
            seq: number;
        };
        /** @description A sign of life, with the number up to which every event was sent. */
        StreamHeartbeat: {
            /** @enum {unknown} */
            op: "heartbeat";
            seq: number;
            server_time: string;
        };
        /** @description The snapshot of a topic must be read again. */
        StreamResync: {
            /** @enum {unknown} */
            op: "resync";
            topic: string;
        };
        /** @description A topic is not followed, or not any more. */
        StreamDenied: {
            /** @enum {unknown} */
            op: "denied";
            topic: string;
            reason: string;
        };
        /** @description A message of the live stream; `op` says which. */
        StreamMessage: components["schemas"]["StreamEvent"] | components["schemas"]["StreamHello"] | components["schemas"]["StreamHeartbeat"] | components["schemas"]["StreamResync"] | components["schemas"]["StreamDenied"];
    };
}
