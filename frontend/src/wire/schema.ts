/** Written by `npm run wire` from docs/reference/openapi.yaml. */

export interface components {
    schemas: {
        /** @description Which upgrades are meant; all that is named must hold, and what is left out asks for nothing. */
        AboutShape: {
            /** @description Its version until now: a name, or a pattern. */
            from_version?: string;
            /** @description Its new version: a name, or a pattern. */
            to_version?: string;
            kinds?: ("version" | "location" | "data")[];
            /** @description Only those after whose switch the old version is not kept in step. */
            without_way_back?: boolean;
        };
        /** @description Which upgrades are meant; all that is named must hold, and what is left out asks for nothing. */
        AboutShapeRequest: {
            /** @description Its version until now: a name, or a pattern. */
            from_version?: string;
            /** @description Its new version: a name, or a pattern. */
            to_version?: string;
            kinds?: ("version" | "location" | "data")[];
            /** @description Only those after whose switch the old version is not kept in step. */
            without_way_back?: boolean;
        };
        /** @description A role within a scope; without one it is refused, and `answer` says why. */
        AccessDecisionShapeRequest: {
            /** @default  */
            role?: string;
            /** @default * */
            service?: string;
            /** @default * */
            region?: string;
            /** @default  */
            answer?: string;
        };
        AccessRequestPage: {
            items: components["schemas"]["AccessRequestShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Who asks for access, and the answer. */
        AccessRequestShape: {
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
        AccountPage: {
            items: components["schemas"]["AccountShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description An account and the roles it holds. */
        AccountShape: {
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
        /** @description What goes with an action: words for the record; `reason` and `ticket` also break the glass. */
        ActShapeRequest: {
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
            /** @description For `edit`: how long going back stays possible. */
            rollback_hours?: number;
        };
        /** @description An action: allowed, or the sentence that refuses it and who could. */
        ActionShape: {
            action: string;
            allowed: boolean;
            reason: string;
            who_can: string[];
        };
        ActivityPage: {
            items: components["schemas"]["ActivitySchema"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One answered request, in the words of the caller's version. */
        ActivitySchema: {
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
        /** @description A process that ended before it wrote down all that it noted: entries of its last moment may be missing. */
        ActivityWriterSchema: {
            process: string;
            /** Format: date-time */
            flushed_at: string;
            entries: number;
        };
        /** @description Every deployment's dealings with others. */
        AllConstraintsShape: {
            items: components["schemas"]["ConstraintsShape"][];
        };
        /** @description A signed head of the chain, as it was kept outside. */
        AnchorShapeRequest: {
            seq: number;
            digest: string;
            at: string;
            key: string;
            signature: string;
        };
        /** @description Heads to compare the chain with. */
        AnchorsShapeRequest: {
            anchors: components["schemas"]["AnchorShapeRequest"][];
        };
        /** @description What goes on which day, and what its users are to know. */
        AnnounceDeadlineSchemaRequest: {
            version: string;
            place: string;
            /** Format: date */
            deadline: string;
            /** @default  */
            note?: string;
        };
        /** @description What was announced, and the clients that were named. */
        AnnouncedDeadlineSchema: {
            service: string;
            version: string;
            place: string;
            /** Format: date */
            deadline: string;
            note: string;
            clients: string[];
        };
        /** @description The answers, in the order of the writes. */
        AnswersShape: {
            answers: components["schemas"]["InnerAnswerShape"][];
        };
        /** @description What applying a folder came to. */
        AppliedShape: {
            service: string;
            versions: string[];
            resource_types: string[];
            fingerprint: string;
            changed: boolean;
            warnings: string[];
            /** @description False only in a dry run: what decisions or waivers lack. */
            may_apply: boolean;
            /** @description On each thing that differs from what is served, the heaviest first. */
            decisions: components["schemas"]["DecisionShape"][];
        };
        /** @description What a deployment shall be: its message in the registry's words, and the alias of its data database. */
        ApplyDeploymentShapeRequest: {
            deployment: {
                [key: string]: unknown;
            };
            /** @default  */
            database?: string;
        };
        ApprovalPage: {
            items: components["schemas"]["ApprovalSummaryShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A request with its evidence then and now, what it puts at stake, and who is there to decide. */
        ApprovalShape: {
            id: string;
            rev: number;
            digest: string;
            upgrade_id: string;
            what: string;
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
            needed: number;
            given: number;
            /** @description Whose votes are taken, in order; empty when none are. */
            stages: components["schemas"]["StageVotesShape"][];
            policy: string;
            votes: components["schemas"]["VoteShape"][];
            /** @description Null in lists once the request is settled. */
            glance: components["schemas"]["GlanceShape"] | null;
            delegations: components["schemas"]["DelegationShape"][];
            on_approve: string;
            undo: string;
            who_can: string[];
            actions: components["schemas"]["ActionShape"][];
            evidence_then: components["schemas"]["CheckShape"][];
            evidence_now: components["schemas"]["CheckShape"][];
            differences: components["schemas"]["DifferenceShape"][];
            stakes: components["schemas"]["StakesShape"];
            /** @description Accounts whose votes are refused, and why. */
            excluded: components["schemas"]["ExcludedVoterShape"][];
            on_duty: components["schemas"]["DutyShape"][];
        };
        /** @description A request as lists show it. */
        ApprovalSummaryShape: {
            id: string;
            rev: number;
            digest: string;
            upgrade_id: string;
            what: string;
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
            needed: number;
            given: number;
            /** @description Whose votes are taken, in order; empty when none are. */
            stages: components["schemas"]["StageVotesShape"][];
            policy: string;
            votes: components["schemas"]["VoteShape"][];
            /** @description Null in lists once the request is settled. */
            glance: components["schemas"]["GlanceShape"] | null;
            delegations: components["schemas"]["DelegationShape"][];
            on_approve: string;
            undo: string;
            who_can: string[];
            actions: components["schemas"]["ActionShape"][];
        };
        /** @description Why a deployment does not come back. */
        AskEvictionShapeRequest: {
            reason: string;
        };
        /** @description What one asks others to do, and why. */
        AskPeopleShapeRequest: {
            action: string;
            /** @default  */
            comment?: string;
        };
        /** @description Whose access to what is asked about. */
        AskShapeRequest: {
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
        AskedPage: {
            items: components["schemas"]["AskedShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What somebody asked for. */
        AskedShape: {
            id: string;
            who: string;
            permission: string;
            what: string;
            link: string;
            comment: string;
            /** Format: date-time */
            at: string;
        };
        /** @description What a bag keeps, and why. */
        BagEntryShape: {
            path: string;
            key: string;
            field: string;
            value: string;
            sentence: string;
        };
        /** @description The answers, in the order of the plans. */
        BatchAnswerShape: {
            items: components["schemas"]["BatchItemShape"][];
        };
        /** @description What became of one plan: the upgrade, or the problem that refused it. */
        BatchItemShape: {
            deployment: string;
            status: number;
            upgrade: components["schemas"]["UpgradeShape"] | null;
            problem: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Up to a hundred plans. */
        BatchShapeRequest: {
            upgrades: components["schemas"]["NewUpgradeShapeRequest"][];
        };
        BindingPage: {
            items: components["schemas"]["BindingShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A role binding; its tag is its ETag. */
        BindingShape: {
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
            conditions: components["schemas"]["ConditionsShape"];
            /** @description The conditions in words. */
            counts: string;
            /** @description Whether its days and hours let it count now. */
            counts_now: boolean;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description What it reaches. */
        BlastShape: {
            resources: number;
            regions: components["schemas"]["RegionVersionShape"][];
            dependants: components["schemas"]["DependantShape"][];
            callers: components["schemas"]["CallerShape"][];
            /** @description How many days back callers were looked for. */
            seen_days: number;
        };
        /** @description One cause that holds an upgrade up, as found from facts. */
        BlockageShape: {
            /** @enum {string} */
            kind: "quarantined" | "no-worker" | "unavailable" | "broker-away" | "worker-late" | "lease-held" | "no-result" | "shard-failed" | "resource-quarantined" | "throttled";
            sentence: string;
            /** Format: date-time */
            since: string | null;
            remedy: string;
            /** @description It stays until somebody acts. */
            needs_person: boolean;
        };
        /** @description Who blocks a deletion: a resource, and the field by which it refers. */
        BlockerShape: {
            type: string;
            name: string;
            path: string;
        };
        /** @description Where a role counts, and until when. */
        BoundsShapeRequest: {
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
            conditions?: components["schemas"]["ConditionsShapeRequest"];
        };
        /** @description A field of a deployment's resources that refers to what the version does not have. */
        BreakingReferenceShape: {
            service: string;
            region: string;
            version: string;
            type: string;
            path: string;
            kind: string;
            target: string;
            reason: string;
        };
        BriefCheckPage: {
            items: components["schemas"]["BriefCheckShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description The verdict on one of many; `id` is empty when nobody here holds it. */
        BriefCheckShape: {
            name: string;
            id: string;
            /** @enum {string} */
            verdict: "safe" | "blocked" | "unknown";
            sentence: string;
            blockers: number;
            cascades: number;
        };
        BuildingPage: {
            items: components["schemas"]["BuildingShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A version whose references are being filled: it is copied to, and not served yet. */
        BuildingShape: {
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
        };
        /** @description A client that was seen to call the version that is left. */
        CallerShape: {
            client: string;
            messages: number;
            /** Format: date-time */
            last_seen: string;
        };
        /** @description A deployment: what it runs, and where its upgrade is. */
        CellShape: {
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
        /** @description How the chain stands. */
        ChainShape: {
            intact: boolean;
            length: number;
            unsealed: number;
            digest: string;
            broken_at: number | null;
            entry: number | null;
            reason: string;
            /** @description Signed heads that it was compared with. */
            anchors: number;
            /** @description The newest entry that one of them names. */
            anchored: number;
            /** @description The public key (Ed25519) that heads are signed with. */
            key: string;
        };
        /** @description A webhook as it shall be, with its name. */
        ChangeHookShapeRequest: {
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
        ChangePhaseSchema: {
            /** @enum {string} */
            side: "server" | "client";
            action: string;
            /** @description Empty of the last phase. */
            wait: string;
            /** @description What the evidence lacks to end the wait now. */
            lacking: string[];
        };
        /** @description What lets a change through that the decision is against. */
        ChangeWaiverShape: {
            id: string;
            /** @enum {string} */
            state: "asked" | "in-force" | "expired" | "used" | "ended";
            reason: string;
            /** Format: date-time */
            until: string;
            asked_by: string;
            approved_by: string;
        };
        /** @description A policy as it is after a change, and what the change means for upgrades under way. */
        ChangedPolicyShape: {
            /** @enum {string} */
            purpose: "switch" | "revert" | "evict";
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
            then: components["schemas"]["StageShape"][];
            /** @description For `revert`: so long after the switch going back takes no votes. */
            free_seconds: number;
            /** @description Which upgrades of its scope are meant; `{}`: all of them. */
            about: components["schemas"]["AboutShape"];
            name: string;
            rev: number;
            updated_by: string;
            warnings: string[];
        };
        /** @description A window as it is after a change, and what the change means for upgrades under way. */
        ChangedWindowShape: {
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
            next: components["schemas"]["OccurrenceShape"][];
            warnings: string[];
        };
        /** @description A guard, judged. */
        CheckShape: {
            check: string;
            /** @enum {string} */
            verdict: "pass" | "skipped" | "warn" | "pending" | "fail" | "unknown";
            sentence: string;
            remedy: string;
            /** Format: date-time */
            at: string | null;
        };
        /** @description Whether what was seen proves that a key is not used, or why it does not. */
        ClaimShape: {
            proved: boolean;
            /** Format: double */
            upper_bound: number;
            reasons: string[];
        };
        /** @description What one release of a client used of a version. */
        ClientUseShape: {
            client: string;
            release: string;
            messages: number;
            /** Format: date-time */
            first_seen: string;
            /** Format: date-time */
            last_seen: string;
            methods: components["schemas"]["MethodUseShape"][];
        };
        /** @description The code that the authenticator shows. */
        CodeShapeRequest: {
            code: string;
        };
        /** @description Words for everybody who follows an upgrade. */
        CommentShapeRequest: {
            comment: string;
        };
        /** @description One difference: who is hit, who goes first, what to do. */
        CompatibilityFindingShape: {
            /** @enum {string} */
            rule: "key-added" | "key-added-required" | "key-removed" | "key-status" | "type-widened" | "type-narrowed" | "type-replaced" | "default-changed" | "unit-changed" | "number-changed" | "number-reused" | "resource-added" | "resource-removed" | "pattern-added" | "pattern-removed" | "id-pattern-changed" | "method-removed" | "method-changed" | "version-removed" | "sunset-moved";
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
            losing_updates: string[];
            handled: boolean;
            /** @description Only where somebody has to accept it: null, or its waiver. */
            waiver?: components["schemas"]["WaiverShape"] | null;
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
        /** @description The report. */
        CompatibilityShape: {
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
            findings: components["schemas"]["CompatibilityFindingShape"][];
            losses: components["schemas"]["ConversionLossShape"][];
            /** @description Places that break, are given up or hidden, and that no waiver in force accepts. */
            to_accept: number;
        };
        /** @description One part of the system. */
        ComponentShape: {
            name: string;
            /** @enum {string} */
            status: "ok" | "degraded" | "down" | "unknown";
            detail: string;
            /** Format: date-time */
            since: string | null;
            remedy: string | null;
            /** @description The page of the console that says what to do. */
            runbook: string;
        };
        /** @description When a role counts: all of it must hold, what is left out asks for nothing. */
        ConditionsShape: {
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
        ConditionsShapeRequest: {
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
        /** @description A deployment's dealings with others; `unknown` when it did not answer, `evicted` when nobody waits for it. */
        ConstraintsShape: {
            deployment: string;
            service: string;
            region: string;
            /** @enum {string} */
            state: "known" | "unknown" | "evicted";
            reason: string;
            tally: components["schemas"]["TallyShape"] | null;
            moving: components["schemas"]["MovingShape"][];
            read_copies: components["schemas"]["CopySourceShape"][];
            policy_changes: components["schemas"]["PolicyChangeShape"][];
        };
        ControllerPage: {
            items: components["schemas"]["ControllerShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A controller in one region; no region: what is Switchyard's own. */
        ControllerShape: {
            region: string;
            controller: string;
            /** @description How many keys it looks after. */
            keys: number;
            /** @description How many of them a worker holds just now. */
            held: number;
            /** @description How many are due since 30 s, and nobody holds them. */
            late: number;
            parked: number;
            /** @description The worker that holds a key, or else held one last. */
            leader: string;
            /** Format: date-time */
            last_turn_at: string | null;
            /** Format: double */
            age_seconds: number | null;
        };
        /** @description What a conversion keeps out of sight, and how well. */
        ConversionLossShape: {
            way: string;
            path: string;
            op: string;
            /** @enum {string} */
            kept: "bag" | "witness" | "no" | "hidden";
            /** @description Only where somebody has to accept it: null, or its waiver. */
            waiver?: components["schemas"]["WaiverShape"] | null;
        };
        ConversionRecordPage: {
            items: components["schemas"]["ConversionRecordSchema"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One conversion: what went in, what was stored before a write, what came out, or why nothing did. */
        ConversionRecordSchema: {
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
        ConversionSessionPage: {
            items: components["schemas"]["ConversionSessionSchema"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A debug session; it records while it is OPEN. */
        ConversionSessionSchema: {
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
        /** @description One step of a conversion: where from and to, the values as JSON (empty: absent), and what the bag did. */
        ConversionStepShape: {
            op: string;
            source: string;
            target: string;
            before: string;
            after: string;
            bag: string;
        };
        /** @description How far a deployment has followed one other region, in one version. */
        CopySourceShape: {
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
             * @description How old the copies are at most; none before they were level once.
             */
            behind_seconds: number | null;
            /** @description Changes known to wait there. */
            waiting: number;
            problem: string;
        };
        /** @description A task that brings the stored data of a version to a newer data version. */
        DataTaskShape: {
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
        DatabaseShape: {
            namespace: string;
            version: string;
            disabled: boolean;
            /** @description As of its newest copy. */
            resources: number | null;
        };
        /** @description What becomes of one thing in which a definition differs from the served one, why, and what was counted. */
        DecisionShape: {
            version: string;
            /** @enum {string} */
            rule: "key-added" | "key-added-required" | "key-removed" | "key-status" | "type-widened" | "type-narrowed" | "type-replaced" | "default-changed" | "unit-changed" | "number-changed" | "number-reused" | "resource-added" | "resource-removed" | "pattern-added" | "pattern-removed" | "id-pattern-changed" | "method-removed" | "method-changed" | "version-removed" | "sunset-moved";
            path: string;
            change: string;
            /** @enum {string} */
            verdict: "allowed" | "needs-steps" | "needs-data-task" | "refused";
            reasons: string[];
            steps: string[];
            /** @description The cheapest plan over servers and clients, where neither can make the change alone. */
            phases: components["schemas"]["ChangePhaseSchema"][];
            advice: string;
            places: string[];
            stored: components["schemas"]["StoredCountShape"][];
            senders: components["schemas"]["SeenClientShape"][];
            readers: components["schemas"]["SeenClientShape"][];
            /** @description To whom answers returned the field: of the answers that were looked into. */
            receivers: components["schemas"]["SeenClientShape"][];
            /** Format: date */
            newest_evidence: string | null;
            /** @description Older than the longest period of a client. */
            evidence_is_old: boolean;
            waiver: components["schemas"]["ChangeWaiverShape"] | null;
        };
        /** @description An object that was made by declaring it, with what was declared of it. */
        DeclaredObjectShape: {
            kind: string;
            name: string;
            spec: {
                [key: string]: unknown;
            };
        };
        /** @description An object that was made by declaring it, with what was declared of it. */
        DeclaredObjectShapeRequest: {
            kind: string;
            name: string;
            spec: {
                [key: string]: unknown;
            };
        };
        /** @description All objects that were made under an owner label and are declared still. */
        DeclaredObjectsShapeRequest: {
            objects: components["schemas"]["DeclaredObjectShapeRequest"][];
        };
        /** @description What an account made under an owner label. */
        DeclaredSetShape: {
            owner: string;
            objects: components["schemas"]["DeclaredObjectShape"][];
        };
        DefinitionReviewPage: {
            items: components["schemas"]["DefinitionReviewSchema"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One definition that was to take the place of the served one, with the decisions as they were then. */
        DefinitionReviewSchema: {
            fingerprint: string;
            /** @description The fingerprint of the definition that was served; empty for none. */
            against: string;
            /** @enum {string} */
            outcome: "applied" | "refused";
            by: string;
            /** Format: date-time */
            at: string;
            decisions: components["schemas"]["DecisionShape"][];
        };
        /** @description Who shall vote in one's place; one's own name takes it back. */
        DelegateShapeRequest: {
            /** @default  */
            comment?: string;
            to: string;
        };
        /** @description A word lent to somebody else. */
        DelegationShape: {
            who: string;
            to: string;
            comment: string;
            /** Format: date-time */
            at: string;
        };
        /** @description Whether a resource may be deleted. */
        DeletionCheckShape: {
            focus: components["schemas"]["ReferenceNodeShape"];
            /** @enum {string} */
            verdict: "safe" | "blocked" | "unknown";
            sentence: string;
            blockers: components["schemas"]["ReferringShape"][];
            cascades: components["schemas"]["ReferenceNodeShape"][];
            unsets: components["schemas"]["ReferringShape"][];
            unknown: components["schemas"]["UnansweredShape"][];
        };
        /** @description What the server did before it took all back: deleted, refused, or would ask others first. */
        DeletionRehearsalShape: {
            /** @enum {string} */
            outcome: "delete" | "refuse" | "ask";
            sentence: string;
            deleted: number;
            /** @description Deployments that would be asked to agree. */
            asks: string[];
            violations: components["schemas"]["RefusedByShape"][];
        };
        DeletionWatchPage: {
            items: components["schemas"]["DeletionWatchShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A resource that somebody waits for to be free to go. */
        DeletionWatchShape: {
            id: string;
            name: string;
            /** @enum {string} */
            verdict: "safe" | "blocked" | "unknown" | "gone";
            sentence: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            looked_at: string | null;
            /** Format: date-time */
            cleared_at: string | null;
        };
        DeliveryPage: {
            items: components["schemas"]["DeliveryShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A delivery and what became of it. */
        DeliveryShape: {
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
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
        };
        /** @description A deployment that stands on this one; `builds_on` is empty for a mere use. */
        DependantShape: {
            service: string;
            region: string;
            version: string;
            builds_on: string;
        };
        /** @description One deployment's dealings with others, with what it follows. */
        DeploymentConstraintsShape: {
            deployment: string;
            service: string;
            region: string;
            /** @enum {string} */
            state: "known" | "unknown" | "evicted";
            reason: string;
            tally: components["schemas"]["TallyShape"] | null;
            moving: components["schemas"]["MovingShape"][];
            read_copies: components["schemas"]["CopySourceShape"][];
            policy_changes: components["schemas"]["PolicyChangeShape"][];
            subscriptions: components["schemas"]["SubscriptionShape"][];
            waits: components["schemas"]["WaitShape"][];
        };
        DeploymentPage: {
            items: components["schemas"]["CellShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Everything about one deployment; `raw` is its message in the registry's own words. */
        DeploymentShape: {
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
            newest_version: string;
            reachable_versions: components["schemas"]["ReachableShape"][];
            db_data_version: string;
            db_location_tag: string;
            public_domain: string;
            imported_versions: components["schemas"]["ImportShape"][];
            dependants: components["schemas"]["DependantShape"][];
            databases: components["schemas"]["DatabaseShape"][];
            upgrades: {
                [key: string]: unknown;
            }[];
            active_upgrade: {
                [key: string]: unknown;
            } | null;
            actions: components["schemas"]["OfferedShape"][];
            switch_mode_set: components["schemas"]["ModeSetShape"] | null;
            /** @description While an upgrade runs whose shards changed. */
            resharded: components["schemas"]["ReshardedShape"] | null;
            /** @description Whether the caller follows it. */
            followed: boolean;
            raw: {
                [key: string]: unknown;
            };
        };
        DeprecationPage: {
            items: components["schemas"]["DeprecationShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One thing that goes away. */
        DeprecationShape: {
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
        /** @description A check that came out otherwise than when approval was asked for. */
        DifferenceShape: {
            check: string;
            then: components["schemas"]["CheckShape"] | null;
            now: components["schemas"]["CheckShape"];
        };
        /** @description A plan that was not kept: what it would do, and what stands against it. */
        DryRunShape: {
            plan: {
                [key: string]: unknown;
            };
            plan_digest: string;
            checks: components["schemas"]["CheckShape"][];
            would: string[];
            possible: boolean;
            prospects: components["schemas"]["ProspectsShape"];
        };
        DutyPage: {
            items: components["schemas"]["DutyShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One person's turn. */
        DutyShape: {
            name: string;
            display_name: string;
            roles: string[];
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
        };
        EmergencyPage: {
            items: components["schemas"]["EmergencyShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A glass that was broken, and its review. */
        EmergencyShape: {
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
        EntryPage: {
            items: components["schemas"]["EntryShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description One entry of the ledger. */
        EntryShape: {
            id: number;
            seq: number | null;
            digest: string | null;
            /** Format: date-time */
            at: string;
            actor: string;
            actor_kind: string;
            token: string;
            address: string;
            request_id: string;
            action: string;
            target_kind: string;
            target: string;
            service: string;
            region: string;
            /** @enum {string} */
            outcome: "done" | "denied" | "failed" | "dry_run";
            reason: string;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A range of seconds. */
        EtaShape: {
            /** Format: double */
            low_seconds: number;
            /** Format: double */
            high_seconds: number;
        };
        /** @description A request to evict a deployment, with its votes, and whether whoever asks may vote. */
        EvictionShape: {
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
            given: number;
            vote: components["schemas"]["ActionShape"];
            votes: components["schemas"]["VoteShape"][];
        };
        /** @description The evictions of a deployment, the newest first, and whether whoever asks may ask for another. */
        EvictionsShape: {
            evict: components["schemas"]["ActionShape"];
            items: components["schemas"]["EvictionShape"][];
        };
        /** @description What loading the example fleet came to. */
        ExampleShape: {
            regions: string[];
            services: string[];
            deployments: string[];
            /** @description How much was not there before. */
            changed: number;
        };
        /** @description An account that cannot vote here because who planned or asked changed it. */
        ExcludedVoterShape: {
            who: string;
            reason: string;
        };
        /** @description A decision and what it rests on. */
        ExplanationShape: {
            account: string;
            action: string;
            target: string;
            allowed: boolean;
            reason: string;
            who_can: string[];
            bindings: string[];
        };
        /** @description One value that a list can be narrowed to, and how many it would show. */
        FacetShape: {
            value: string;
            count: number;
        };
        /** @description What a list of upgrades can be narrowed to. */
        FacetsShape: {
            service: components["schemas"]["FacetShape"][];
            region: components["schemas"]["FacetShape"][];
            state: components["schemas"]["FacetShape"][];
            kind: components["schemas"]["FacetShape"][];
        };
        /** @description What does not hold, or has not ended: a reference, a read copy, an attempt, a deletion; or nothing is known. */
        FindingShape: {
            source: string;
            target: string;
            /** @description The field that refers; none for a read copy. */
            path: string;
            /** @enum {string} */
            what: "gone" | "unlisted" | "lacking" | "stale" | "extra" | "unsettled" | "undeleted" | "unknown";
            reason: string;
        };
        /** @description Clients of versions before the newest, as `callers[service][region]`; what had none is not named. */
        FleetCallersSchema: {
            days: number;
            callers: {
                [key: string]: {
                    [key: string]: number;
                };
            };
        };
        /** @description A column of the matrix. */
        FleetRegionShape: {
            name: string;
            title: string;
            /** @description Its time zone, from the annotation `timeZone` of the region. */
            zone: string;
        };
        /** @description A row of the matrix; services stand above what they import. */
        FleetServiceShape: {
            name: string;
            display_name: string;
            versions: string[];
            rank: number;
            imports: string[];
        };
        /** @description The whole matrix. */
        FleetShape: {
            regions: components["schemas"]["FleetRegionShape"][];
            services: components["schemas"]["FleetServiceShape"][];
            cells: components["schemas"]["CellShape"][];
        };
        /** @description The next window of each deployment: `of[service][region]` numbers one of `outlooks`. */
        FleetWindowsShape: {
            outlooks: components["schemas"]["OutlookShape"][];
            of: {
                [key: string]: {
                    [key: string]: number;
                };
            };
        };
        /** @description A deployment that one follows; another `key` means that it moved on. */
        FollowedShape: {
            service: string;
            region: string;
            current_version: string;
            state: string;
            sentence: string;
            link: string;
            key: string;
        };
        /**
         * @description Resources that were found, and what may be asked for; `more` when something was left out.
         *
         *     `building` names what has no answer yet: deployments that are copied to the version that was asked for.
         */
        FoundResourcesShape: {
            items: components["schemas"]["ReferenceNodeShape"][];
            more: boolean;
            types: string[];
            versions: string[];
            unknown: components["schemas"]["UnansweredShape"][];
            building: components["schemas"]["BuildingShape"][];
        };
        /** @description How the approval stands. */
        GateApprovalsShape: {
            needed: number;
            given: number;
            request_id: string | null;
            state: string;
            sentence: string;
            policy: string;
            group: string;
            /** @description All groups in their order: `approver, then security`. */
            groups: string;
        };
        /** @description What stands between an upgrade and its switch; `not_before` is null when no window, freeze or plan forbids it now. */
        GateShape: {
            /** Format: date-time */
            not_before: string | null;
            checks: components["schemas"]["CheckShape"][];
            approvals: components["schemas"]["GateApprovalsShape"];
            /** Format: double */
            predicted_freeze_ms: number | null;
        };
        /** @description How a request stands at a glance; equal `change`s of low risk may be approved together. */
        GlanceShape: {
            /** @enum {string} */
            risk: "low" | "medium" | "high";
            /** @description How many checks of the evidence fail now. */
            failing: number;
            /** @description How many of them nobody can tell. */
            unknown: number;
            change: string;
        };
        /** @description What groups of the identity provider give here. */
        GroupsGiveShape: {
            groups: string[];
            unbound: string[];
            bindings: string[];
            roles: string[];
            permissions: string[];
        };
        /** @description Groups by name, or a token of the identity provider that names them. */
        GroupsShapeRequest: {
            /** @default [] */
            groups?: string[];
            /** @default  */
            token?: string;
        };
        /** @description The whole, which is as its worst part. */
        HealthShape: {
            /** @enum {string} */
            status: "ok" | "degraded" | "down" | "unknown";
            components: components["schemas"]["ComponentShape"][];
            work_classes: components["schemas"]["WorkClassShape"][];
        };
        /** @description How many resources are not shown, and why. */
        HiddenShape: {
            budget: number;
            filter: number;
        };
        /** @description What was recorded of an upgrade, with its times. */
        HistorySchema: {
            /** Format: date-time */
            as_of: string;
            transitions: components["schemas"]["TransitionSchema"][];
            shards: components["schemas"]["ShardChangesSchema"];
            requests: components["schemas"]["SheetRequestSchema"][];
            votes: components["schemas"]["SheetVoteSchema"][];
            switch_steps: components["schemas"]["SheetSwitchStepSchema"][];
        };
        HookPage: {
            items: components["schemas"]["HookShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A message as its receiver would read it. */
        HookPreviewShape: {
            event: string;
            /** @description Nothing of the kind happened of late. */
            example: boolean;
            message: {
                [key: string]: unknown;
            };
        };
        /** @description A webhook as it shall be; its name is in the address. */
        HookRulesShapeRequest: {
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
        /** @description A webhook. */
        HookShape: {
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
        /** @description A webhook with its secret, shown this once. */
        HookWithSecretShape: {
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
        /** @description One's hours. */
        HoursShape: {
            rev: number;
            zone: string;
            quiet_from: string | null;
            quiet_to: string | null;
            daily_at: string;
        };
        /** @description A resource as it was stored: without its property bag, and with sensitive values replaced. */
        ImageSchema: {
            body: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
        };
        /** @description An import: the version it uses, and the one that runs in the same region. */
        ImportShape: {
            service: string;
            version: string;
            current_version: string | null;
            mismatch: boolean;
        };
        /** @description Who imports a version of this service, and for which of its own. */
        ImporterShape: {
            service: string;
            for_version: string;
            version: string;
        };
        /** @description What one write was answered. */
        InnerAnswerShape: {
            status: number;
            etag: string;
            body: unknown;
        };
        /** @description One write, as it would be sent alone. */
        InnerRequestShapeRequest: {
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
        /** @description A new token with its secret, which is never shown again. */
        IssuedShape: {
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
        /** @description In how many messages a key stood in which state; `shown` counts answers that returned it, of those looked into. */
        KeyStatesShape: {
            absent: number;
            null: number;
            empty: number;
            value: number;
            shown: number;
        };
        KeyUsePage: {
            items: components["schemas"]["KeyUseShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description How a key of the messages to a method was sent; `clients` are those that sent it. */
        KeyUseShape: {
            method: string;
            path: string;
            messages: number;
            states: components["schemas"]["KeyStatesShape"];
            clients: string[];
            /** Format: date-time */
            first_seen: string | null;
            /** Format: date-time */
            last_seen: string | null;
            unused: components["schemas"]["ClaimShape"];
        };
        /** @description A deployment that cannot move now, and why. */
        LeftOutSchema: {
            deployment: string;
            reason: string;
        };
        /** @description One line of the story. */
        LineShape: {
            seq: number;
            /** Format: date-time */
            at: string;
            who: string;
            kind: string;
            text: string;
            details: {
                [key: string]: unknown;
            };
        };
        /** @description What the logs of a deployment keep. */
        LogSettingsRequestSchemaRequest: {
            /**
             * Format: double
             * @description Which share of reads is logged; writes are always.
             */
            read_sampling: number;
            activity_days: number;
            change_days: number;
        };
        /** @description What the logs of a deployment keep, and what is known to be missing; revision 0 is the default. */
        LogsSchema: {
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
            unfinished: components["schemas"]["ActivityWriterSchema"][];
        };
        /** @description How often a method was called. */
        MethodUseShape: {
            method: string;
            messages: number;
        };
        /** @description How far the upgrade shall come. */
        MilestoneShapeRequest: {
            /** @enum {string} */
            until: "ready" | "switched" | "complete";
        };
        /** @description Who said last how a deployment switches, and when. */
        ModeSetShape: {
            who: string;
            /** Format: date-time */
            at: string;
        };
        /** @description A resource that is being deleted, and who may refer to it. */
        MovingShape: {
            type: string;
            name: string;
            /** @enum {string} */
            state: "DELETE_PENDING" | "DELETING";
            /** Format: double */
            age_seconds: number;
            sources: string[];
            root: string;
            /** @description The first who block it within its own deployment. */
            blockers: components["schemas"]["BlockerShape"][];
        };
        /** @description Up to a hundred names, full or plain. */
        NamesToCheckShapeRequest: {
            names: string[];
        };
        /** @description Why somebody needs access. */
        NewAccessRequestShapeRequest: {
            /** @default  */
            comment?: string;
        };
        /** @description An account to be. */
        NewAccountShapeRequest: {
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
        /** @description What is asked for, and where it is done. */
        NewAskShapeRequest: {
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
        /** @description A role for an account or a group, within a scope. */
        NewBindingShapeRequest: {
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
            conditions?: components["schemas"]["ConditionsShapeRequest"];
        };
        /** @description Which difference is to be accepted that applying these files would make, why, and until when. */
        NewChangeWaiverShapeRequest: {
            files: {
                [key: string]: string;
            };
            version: string;
            /** @enum {string} */
            rule: "key-added" | "key-added-required" | "key-removed" | "key-status" | "type-widened" | "type-narrowed" | "type-replaced" | "default-changed" | "unit-changed" | "number-changed" | "number-reused" | "resource-added" | "resource-removed" | "pattern-added" | "pattern-removed" | "id-pattern-changed" | "method-removed" | "method-changed" | "version-removed" | "sunset-moved";
            path: string;
            reason: string;
            /** Format: date-time */
            until: string;
        };
        /** @description A webhook to be: events by name or pattern, such as `upgrade.*`. */
        NewHookShapeRequest: {
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
        /** @description Quiet hours, and when a daily digest comes; on the clocks of a zone. */
        NewHoursShapeRequest: {
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
        /** @description What one is to be told of, where it happens, and how soon. */
        NewNoticeShapeRequest: {
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
        /** @description The passkey that the browser made, as WebAuthn's JSON has it. */
        NewPasskeyShapeRequest: {
            name: string;
            answer: {
                [key: string]: unknown;
            };
        };
        /** @description The password until now, and the one from now on. */
        NewPasswordShapeRequest: {
            current: string;
            new: string;
        };
        /** @description A policy with its name. */
        NewPolicyShapeRequest: {
            /** @enum {string} */
            purpose: "switch" | "revert" | "evict";
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
            then?: components["schemas"]["StageShapeRequest"][];
            /**
             * @description For `revert`: so long after the switch going back takes no votes.
             * @default 0
             */
            free_seconds?: number;
            /**
             * @description Which upgrades of its scope are meant; `{}`: all of them.
             * @default {}
             */
            about?: components["schemas"]["AboutShapeRequest"];
            name: string;
        };
        /** @description A role to be. */
        NewRoleShapeRequest: {
            /** @default  */
            title?: string;
            permissions: string[];
            role: string;
        };
        /** @description Which deployments shall move to which version, wave after wave. */
        NewRolloutShapeRequest: {
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
        NewTokenShapeRequest: {
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
        NewUpgradeShapeRequest: {
            deployment: string;
            /** @default  */
            target_version?: string;
            /**
             * @default version
             * @enum {string}
             */
            kind?: "version" | "location" | "data";
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
             * @description How long going back stays possible.
             * @default 168
             */
            rollback_hours?: number;
        };
        /** @description Which finding of the report is to be accepted, why, and until when. */
        NewWaiverShapeRequest: {
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
            rule: "key-added" | "key-added-required" | "key-removed" | "key-status" | "type-widened" | "type-narrowed" | "type-replaced" | "default-changed" | "unit-changed" | "number-changed" | "number-reused" | "resource-added" | "resource-removed" | "pattern-added" | "pattern-removed" | "id-pattern-changed" | "method-removed" | "method-changed" | "version-removed" | "sunset-moved" | "loss-no" | "loss-hidden";
            path: string;
            /** @default  */
            where?: string;
            reason: string;
            /** Format: date-time */
            until: string;
        };
        /** @description A window or freeze with its name. */
        NewWindowShapeRequest: {
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
        NoticeShape: {
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
        NoticesShape: {
            mail: string;
            /** @description This installation has a mail server. */
            sends_mail: boolean;
            hours: components["schemas"]["HoursShape"];
            rules: components["schemas"]["NoticeShape"][];
            sent: components["schemas"]["DeliveryShape"][];
        };
        /** @description How many upgrades are in which situation. */
        NowShape: {
            running: number;
            waiting_mine: number;
            waiting_others: number;
            stalled: number;
            failed: number;
            reversible: number;
        };
        /** @description Whose conversions to record, or of which resource, for how long, how many, and why. */
        ObserveConversionsSchemaRequest: {
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
        OccurrenceShape: {
            /** Format: date-time */
            opens: string;
            /** Format: date-time */
            closes: string;
            note: string;
        };
        /** @description An action, whether the caller may take it now, and if not, why and who could. */
        OfferedShape: {
            action: string;
            allowed: boolean;
            reason: string;
            who_can: string[];
        };
        OperationPage: {
            items: components["schemas"]["OperationShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A long operation. */
        OperationShape: {
            /** Format: uuid */
            id: string;
            rev: number;
            kind: string;
            target_kind: string;
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
        /** @description Whether a deployment may switch now, and until when, or from when on. */
        OutlookShape: {
            allowed: boolean;
            sentence: string;
            /** @description The window or freeze that says so. */
            rule: string;
            /** Format: date-time */
            opens: string | null;
            /** Format: date-time */
            closes: string | null;
        };
        /** @description What was lifted for one upgrade, and until when. */
        OverriddenShape: {
            rules: string[];
            who: string;
            reason: string;
            /** Format: date-time */
            until: string;
        };
        /** @description Why an upgrade may go past what forbids its switch now. */
        OverridingShapeRequest: {
            reason: string;
        };
        /** @description What one wants to know first. */
        OverviewShape: {
            now: components["schemas"]["NowShape"];
            needs_you: {
                [key: string]: unknown;
            }[];
            running: {
                [key: string]: unknown;
            }[];
            skew: {
                [key: string]: unknown;
            }[];
            windows: {
                [key: string]: unknown;
            }[];
            followed: components["schemas"]["FollowedShape"][];
            week: components["schemas"]["WeekSchema"];
            /** @description No upgrade was ever planned within the caller's scope. */
            first_use: boolean;
        };
        /** @description That copies and comparisons are slowed for the sake of writes. */
        PacedShape: {
            sentence: string;
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description When a worker reported it last.
             */
            reported_at: string;
        };
        /** @description What shall become of a parked resource. */
        ParkedActShapeRequest: {
            type: string;
            name: string;
            /** @enum {string} */
            verdict: "retry" | "waive";
            /** @default  */
            comment?: string;
        };
        ParkedPage: {
            items: components["schemas"]["ParkedShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A resource that could not be carried over. */
        ParkedShape: {
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
        ParkedWorkPage: {
            items: components["schemas"]["ParkedWorkShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A key of work that needs a person. */
        ParkedWorkShape: {
            controller: string;
            key: string;
            code: string;
            reason: string;
            remedy: string;
            /** Format: date-time */
            since: string;
            attempts: number;
        };
        /** @description A new passkey, with codes for the day it is lost where there were none; each works once, and they are shown once. */
        PasskeyAddedShape: {
            id: number;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            recovery_codes: string[];
        };
        /** @description What the browser answered with, as WebAuthn's JSON has it. */
        PasskeyAnswerShapeRequest: {
            answer: {
                [key: string]: unknown;
            };
        };
        /** @description What the owner calls it. */
        PasskeyNameShapeRequest: {
            name: string;
        };
        /** @description What the browser is asked, as WebAuthn's JSON has it. */
        PasskeyOptionsShape: {
            publicKey: {
                [key: string]: unknown;
            };
        };
        PasskeyPage: {
            items: components["schemas"]["PasskeyShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A passkey as its owner sees it. */
        PasskeyShape: {
            id: number;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
        };
        /** @description A passkey, and why an admin breaks the glass to sign in where that is needed. */
        PasskeySignInShapeRequest: {
            answer: {
                [key: string]: unknown;
            };
            /** @default  */
            reason?: string;
        };
        /** @description Whether an account is open, a new password for it, and whether its second factors are lost. */
        PatchedChangeAccountShapeRequest: {
            active?: boolean;
            password?: string;
            /** @description Takes its authenticator, passkeys and recovery codes away, and ends its sessions. */
            lost_second_factor?: boolean;
        };
        /** @description A permission and what it lets one do. */
        PermissionShape: {
            permission: string;
            title: string;
        };
        /** @description How far the resources under a changed policy have been touched. */
        PolicyChangeShape: {
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
            items: components["schemas"]["PolicyShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What a policy would mean. */
        PolicyPreviewShape: {
            seen: number;
            upgrades: components["schemas"]["PreviewedUpgradeShape"][];
            voters: string[];
        };
        /** @description What a policy says: how many must agree, from which group, and where it counts. */
        PolicyRulesShapeRequest: {
            /** @enum {string} */
            purpose: "switch" | "revert" | "evict";
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
            then?: components["schemas"]["StageShapeRequest"][];
            /**
             * @description For `revert`: so long after the switch going back takes no votes.
             * @default 0
             */
            free_seconds?: number;
            /**
             * @description Which upgrades of its scope are meant; `{}`: all of them.
             * @default {}
             */
            about?: components["schemas"]["AboutShapeRequest"];
        };
        /** @description A policy as it is kept; revision 0 is what counts where nobody said otherwise. */
        PolicyShape: {
            /** @enum {string} */
            purpose: "switch" | "revert" | "evict";
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
            then: components["schemas"]["StageShape"][];
            /** @description For `revert`: so long after the switch going back takes no votes. */
            free_seconds: number;
            /** @description Which upgrades of its scope are meant; `{}`: all of them. */
            about: components["schemas"]["AboutShape"];
            name: string;
            rev: number;
            updated_by: string;
        };
        /** @description How a channel would be told, and of what. */
        PreviewHookShapeRequest: {
            /**
             * @default signed
             * @enum {string}
             */
            format?: "signed" | "slack" | "teams" | "email";
            events: string[];
        };
        /** @description An upgrade that the policy matches, and whether it would have decided about it. */
        PreviewedUpgradeShape: {
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
        ProgressShape: {
            copied: number;
            total: number;
            /** @description Some shards were not counted yet. */
            total_is_minimum: boolean;
            /** @description 100 only when every shard is known to be caught up; null: not counted yet. */
            percent: number | null;
            /** Format: double */
            rate_per_second: number;
            eta: components["schemas"]["EtaShape"] | null;
            eta_reason: string;
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
        /** @description The password of whoever is signed in, and the code of a second factor where one is set up. */
        ProofShapeRequest: {
            password: string;
            /** @default  */
            totp?: string;
        };
        /** @description A secret to enter into an authenticator, and the rows of the QR code that holds it (1 is dark). */
        ProposalShape: {
            secret: string;
            uri: string;
            qr: string[];
        };
        /** @description One deployment in its wave, with the reasons why it stands there. */
        ProposedItemSchema: {
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            /**
             * Format: double
             * @description What upgrades of its service took; null where unknown.
             */
            seconds: number | null;
            reasons: string[];
        };
        /** @description The policy that counts, what it asks in words, and why it is this one. */
        ProspectPolicyShape: {
            name: string;
            needed: number;
            group: string;
            critical: boolean;
            sentence: string;
            reason: string;
        };
        /** @description Whether windows and freezes would let it switch now, and when next. */
        ProspectWindowShape: {
            allowed: boolean;
            sentence: string;
            /** Format: date-time */
            next_open: string | null;
        };
        /** @description What lies before it; `resources` as of the last copy, null when there was none. */
        ProspectsShape: {
            policy: components["schemas"]["ProspectPolicyShape"];
            window: components["schemas"]["ProspectWindowShape"];
            resources: number | null;
            took: components["schemas"]["TookShape"] | null;
            way_back: string;
            dependants: components["schemas"]["DependantShape"][];
        };
        /** @description Whether an identity provider answers. */
        ProviderShape: {
            id: string;
            /** @description Null while nobody knows yet. */
            answers: boolean | null;
            /**
             * Format: date-time
             * @description Since when it does not.
             */
            since: string | null;
        };
        /** @description A version and whether this deployment could move to it. */
        ReachableShape: {
            version: string;
            reachable: boolean;
            reason: string;
        };
        /** @description What an audit of references found. */
        ReferenceAuditShape: {
            findings: components["schemas"]["FindingShape"][];
            more: boolean;
        };
        /** @description One reference; `version` is the one its source is stored in. */
        ReferenceEdgeShape: {
            source: string;
            target: string;
            /** @enum {string} */
            kind: "BLOCK" | "CASCADE" | "UNSET" | "OWNER" | "WEAK";
            path: string;
            version: string;
        };
        /** @description A resource in the graph. */
        ReferenceNodeShape: {
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
        /** @description The references that would break; `unknown` names services whose definition does not tell. */
        ReferencesAtStakeShape: {
            found: components["schemas"]["BreakingReferenceShape"][];
            unknown: string[];
        };
        /** @description The graph around a resource. */
        ReferencesShape: {
            focus: string;
            nodes: components["schemas"]["ReferenceNodeShape"][];
            edges: components["schemas"]["ReferenceEdgeShape"][];
            hidden: components["schemas"]["HiddenShape"];
            unknown: components["schemas"]["UnansweredShape"][];
        };
        /** @description A reference with what is known of its source; empty where its deployment told nothing more. */
        ReferringShape: {
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
        /** @description Who refers, and from which field. */
        RefusedByShape: {
            path: string;
            message: string;
        };
        RegionPage: {
            items: components["schemas"]["RegionShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A region. */
        RegionShape: {
            name: string;
            title: string;
            rev: number;
        };
        /** @description What a region serves; `here` is the one decided about. */
        RegionVersionShape: {
            region: string;
            version: string;
            here: boolean;
        };
        /** @description What a switch or a way back would do now, in its order; `stopped` says what would end it early. */
        RehearsalShape: {
            steps: components["schemas"]["RehearsedStepShape"][];
            /** Format: double */
            predicted_freeze_ms: number | null;
            stopped: string;
        };
        /** @description What one step would do. */
        RehearsedStepShape: {
            step: string;
            text: string;
        };
        /** @description What shows a second factor now: one's own passkey, or a code of the authenticator or a recovery code. */
        RemovePasskeyShapeRequest: {
            answer?: {
                [key: string]: unknown;
            };
            /** @default  */
            code?: string;
        };
        /** @description What clients would notice: by weight, what would break them, and what nobody accepted yet. */
        ReportCountsShape: {
            counts: {
                [key: string]: number;
            };
            breaking: number;
            to_accept: number;
        };
        /** @description Writes in the order in which they are carried out. */
        RequestsShapeRequest: {
            requests: components["schemas"]["InnerRequestShapeRequest"][];
        };
        /** @description How many shards an upgrade had and has, and since when; its counts began anew then. */
        ReshardedShape: {
            before: number;
            after: number;
            /** Format: date-time */
            at: string;
        };
        ResourceChangePage: {
            items: components["schemas"]["ResourceChangeSchema"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /**
         * @description One change of a resource, in the version that stored it.
         *
         *     `before` and `after` are null where there was no resource, and both for a change that is older than the log.
         */
        ResourceChangeSchema: {
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
            before: components["schemas"]["ImageSchema"] | null;
            after: components["schemas"]["ImageSchema"] | null;
        };
        /** @description A resource in a list. */
        ResourceLineShape: {
            name: string;
            revision: string;
            /** Format: date-time */
            updated_at: string | null;
            fields: {
                [key: string]: unknown;
            };
        };
        /** @description One resource by its full name. */
        ResourceNameShapeRequest: {
            name: string;
        };
        /** @description One resource in every version. */
        ResourceShape: {
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
            bags: components["schemas"]["BagEntryShape"][];
            views: components["schemas"]["VersionViewShape"][];
        };
        /** @description A resource type and the versions that have it. */
        ResourceTypeShape: {
            type: string;
            fqn: string;
            plural: string;
            versions: string[];
        };
        /** @description A page of resources; `hidden` are those that this version cannot name. */
        ResourcesShape: {
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
            items: components["schemas"]["ResourceLineShape"][];
            next_page_token: string;
        };
        /** @description The day from which a version is no longer meant to be used; null takes it back. */
        RetireShapeRequest: {
            /** Format: date */
            retires_on: string | null;
            /** @default  */
            note?: string;
        };
        /** @description From which day a version is no longer meant to be used; no day when none is set. */
        RetirementShape: {
            rev: number;
            /** Format: date */
            retires_on: string | null;
            note: string;
            set_by: string;
            /** Format: date-time */
            set_at: string | null;
        };
        /** @description Which key shall go on. */
        RetryShapeRequest: {
            controller: string;
            key: string;
        };
        /** @description How careful to be, and why. */
        RiskShape: {
            /** @enum {string} */
            level: "low" | "medium" | "high";
            reasons: string[];
        };
        RolePage: {
            items: components["schemas"]["RoleShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description What a role is for, and what it carries. */
        RoleRulesShapeRequest: {
            /** @default  */
            title?: string;
            permissions: string[];
        };
        /** @description A role and its permissions; one that is built in has the revision 0 and stays as it is. */
        RoleShape: {
            role: string;
            title: string;
            /** @description Somebody made it; the others are built in. */
            made: boolean;
            rev: number;
            permissions: components["schemas"]["PermissionShape"][];
            changed_by: string;
            /** Format: date-time */
            changed_at: string | null;
        };
        /**
         * @description What goes with an action: for `retry` and `skip` the deployment, for `skip` and `stop` the reason,
         *     for `start` what was looked at.
         */
        RolloutActShapeRequest: {
            /** @default  */
            deployment?: string;
            /** @default  */
            comment?: string;
            /**
             * @description For `start`: the plan to begin; 412 when it is another one by now.
             * @default
             */
            plan_digest?: string;
        };
        /** @description One deployment in its wave. */
        RolloutItemShape: {
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "failed" | "skipped";
            reason: string;
            upgrade_id: string;
            /** @enum {string} */
            upgrade_state: "PLANNED" | "SYNCING" | "READY" | "SWITCHING" | "REVERSIBLE" | "COMPLETED" | "ABORTED" | "REVERTING" | "REVERTED" | "HALTED";
            /** @description The plan that the rollout begins, and no other. */
            plan_digest: string;
            /** @description Its upgrade has another plan by now. */
            plan_changed: boolean;
            sentence: string;
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
            /** Format: date-time */
            settled_at: string | null;
        };
        RolloutPage: {
            items: components["schemas"]["RolloutSummaryShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        RolloutProposalPage: {
            items: components["schemas"]["RolloutProposalSchema"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Waves in which no intermediate state breaks an importer. */
        RolloutProposalSchema: {
            /** @enum {string} */
            kind: "balanced" | "fastest" | "safest";
            target_version: string;
            /**
             * Format: double
             * @description Of all waves one after the other; null where one is unknown.
             */
            seconds: number | null;
            waves: components["schemas"]["ProposedItemSchema"][][];
            left_out: components["schemas"]["LeftOutSchema"][];
        };
        /** @description What the plan of one deployment would come to. */
        RolloutRehearsalItemShape: {
            deployment: string;
            wave: number;
            possible: boolean;
            checks: components["schemas"]["CheckShape"][];
            problem: {
                [key: string]: unknown;
            } | null;
            prospects: components["schemas"]["ProspectsShape"] | null;
        };
        /** @description A rollout that was not kept. */
        RolloutRehearsalShape: {
            possible: boolean;
            /** @description Names the plan; empty when a deployment cannot be planned. */
            plan_digest: string;
            items: components["schemas"]["RolloutRehearsalItemShape"][];
        };
        /** @description Whether the waves that a rollout did not begin still hold by the facts of now, and the ones proposed instead. */
        RolloutRestSchema: {
            holds: boolean;
            reasons: string[];
            proposal: components["schemas"]["RolloutProposalSchema"];
        };
        /** @description A rollout with what it offers. */
        RolloutShape: {
            id: string;
            rev: number;
            title: string;
            comment: string;
            /** @enum {string} */
            state: "PLANNED" | "RUNNING" | "PAUSED" | "DONE" | "STOPPED";
            reason: string;
            sentence: string;
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
            waves: components["schemas"]["RolloutItemShape"][][];
            actions: components["schemas"]["ActionShape"][];
        };
        /** @description A rollout with its waves. */
        RolloutSummaryShape: {
            id: string;
            rev: number;
            title: string;
            comment: string;
            /** @enum {string} */
            state: "PLANNED" | "RUNNING" | "PAUSED" | "DONE" | "STOPPED";
            reason: string;
            sentence: string;
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
            waves: components["schemas"]["RolloutItemShape"][][];
        };
        RolloutTargetPage: {
            items: components["schemas"]["RolloutTargetShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A version of the services that were asked about; `reachable` where all of them can go there. */
        RolloutTargetShape: {
            version: string;
            reachable: boolean;
            unreachable: components["schemas"]["UnreachableShape"][];
        };
        /** @description Whether a deployment may switch at an instant. */
        RulingShape: {
            deployment: string;
            environment: string;
            /** Format: date-time */
            at: string;
            allowed: boolean;
            sentence: string;
            winner: string;
            considered: string[];
            /** Format: date-time */
            next_open: string | null;
            /** @description Who may override what forbids it. */
            overriders: string[];
            /** @description Whether you may. */
            may_override: boolean;
            /** @description Why you may not. */
            override_refusal: string;
        };
        /** @description The curves, as columns. */
        SamplesShape: {
            at: string[];
            ready: number[];
            lag_p50: (number | null)[];
            lag_p95: (number | null)[];
            lag_max: (number | null)[];
            rate: number[];
        };
        /** @description What to keep. */
        SaveViewShapeRequest: {
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
        SecondFactorShape: {
            is_set: boolean;
            recovery_codes_left: number;
        };
        /** @description One release of a client as it names itself; nothing is decided by what it says of its release. */
        SeenClientShape: {
            client: string;
            release: string;
            messages: number;
            /** Format: date */
            last_seen_on: string;
        };
        ServedPage: {
            items: components["schemas"]["ServedShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description From when until when a region served a version. */
        ServedShape: {
            region: string;
            version: string;
            /**
             * Format: date-time
             * @description Null where nobody noted it.
             */
            since: string | null;
            /**
             * Format: date-time
             * @description Null of what is served now.
             */
            until: string | null;
        };
        /** @description Where the service runs, and what. */
        ServiceDeploymentShape: {
            region: string;
            current_version: string;
        };
        /** @description The files of a service folder: path to content in base64. */
        ServiceFolderShapeRequest: {
            files: {
                [key: string]: string;
            };
        };
        /** @description Which version of an import one version uses. */
        ServiceImportShape: {
            service: string;
            version: string;
            for_version: string;
        };
        ServicePage: {
            items: components["schemas"]["ServiceShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description Everything about one service; `raw` is its message in the registry's own words. */
        ServicePageShape: {
            name: string;
            display_name: string;
            versions: string[];
            imports: components["schemas"]["ServiceImportShape"][];
            uses: string[];
            regions: string[];
            control_region: string;
            automatic: boolean;
            rev: number;
            resource_types: components["schemas"]["ResourceTypeShape"][];
            deployments: components["schemas"]["ServiceDeploymentShape"][];
            importers: string[];
            imported_by: components["schemas"]["ImporterShape"][];
            /** @description By version. */
            retirements: {
                [key: string]: components["schemas"]["RetirementShape"];
            };
            fingerprint: string | null;
            raw: {
                [key: string]: unknown;
            };
        };
        /** @description A service. */
        ServiceShape: {
            name: string;
            display_name: string;
            versions: string[];
            imports: components["schemas"]["ServiceImportShape"][];
            uses: string[];
            regions: string[];
            control_region: string;
            automatic: boolean;
            rev: number;
        };
        /** @description When a session ends by itself. */
        SessionLimitsShape: {
            /** @description So long after signing in. */
            hours: number;
            /** @description So long after a person last did something. */
            idle_minutes: number;
        };
        /** @description The session, also when nobody is signed in. */
        SessionShape: {
            account: components["schemas"]["SignedInShape"] | null;
            csrf_token: string;
            /** Format: date-time */
            server_time: string;
            environment: string;
            version: string;
            providers: {
                [key: string]: unknown;
            }[];
            /**
             * @description Whether a name and a password are enough, and for whom.
             * @enum {string}
             */
            local_sign_in: "on" | "emergency" | "off";
            /** @description The host name under which passkeys work; empty where they do not. */
            passkey_host: string;
            session_limits: components["schemas"]["SessionLimitsShape"];
            /** @description This session broke the glass to sign in. */
            emergency: components["schemas"]["SignInEmergencyShape"] | null;
        };
        /** @description Changes of the states of shards as columns, oldest first. */
        ShardChangesSchema: {
            shard: number[];
            at: string[];
            state: ("pending" | "syncing" | "ready" | "switching" | "switched" | "regressed" | "failed" | "unknown")[];
            /** @description Whether none was left out for their number. */
            complete: boolean;
        };
        /** @description The newest report of one shard. */
        ShardShape: {
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
            /** @description How often it fell back after it was level. */
            falls: number;
            /** @description The worker that reported last: `host:process`. */
            node: string;
            /** Format: date-time */
            reported_at: string | null;
        };
        ShardTurnPage: {
            items: components["schemas"]["ShardTurnShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A moment at which a shard came into another state or stage. */
        ShardTurnShape: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            state: "pending" | "syncing" | "ready" | "switching" | "switched" | "regressed" | "failed" | "unknown";
            stage: string;
            copied: number;
            applied: number;
            error: string;
        };
        /** @description All shards. */
        ShardsShape: {
            total: number;
            ready: number;
            items: components["schemas"]["ShardShape"][];
        };
        /** @description A request for approval, with the checks as they were then. */
        SheetRequestSchema: {
            /** Format: date-time */
            at: string;
            who: string;
            purpose: string;
            evidence: components["schemas"]["CheckShape"][];
        };
        /** @description A step of the switch. */
        SheetSwitchStepSchema: {
            step: string;
            /** Format: date-time */
            at: string;
            /** Format: double */
            took_seconds: number | null;
            state: string;
        };
        /** @description A vote; `void` says why it does not count any more. */
        SheetVoteSchema: {
            /** Format: date-time */
            at: string;
            who: string;
            verdict: string;
            purpose: string;
            void: string;
        };
        /** @description The time zone to be shown. */
        ShownZoneShapeRequest: {
            /**
             * @description `utc`, `mine` for that of the browser, `region` for that of a page's region.
             * @enum {string}
             */
            zone: "utc" | "mine" | "region";
        };
        /** @description Why and when somebody signed in by break-glass. */
        SignInEmergencyShape: {
            reason: string;
            /** Format: date-time */
            at: string;
        };
        SignInProviderPage: {
            items: components["schemas"]["ProviderShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A name, a password, and the code of a second factor where one is set up. */
        SignInShapeRequest: {
            username: string;
            password: string;
            totp?: string;
            /**
             * @description Why an admin breaks the glass to sign in, in 20 characters or more.
             * @default
             */
            reason?: string;
        };
        SignInsPage: {
            items: components["schemas"]["SignInsShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A browser that somebody is signed in with. */
        SignInsShape: {
            id: number;
            account: string;
            /** Format: date-time */
            at: string;
            address: string;
            agent: string;
            how: string;
            current: boolean;
        };
        /** @description Who is signed in. */
        SignedInShape: {
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
        SpanPage: {
            items: components["schemas"]["SpanShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A stretch of time, whether a switch is allowed in it, and the rule that says so (none: no rule does). */
        SpanShape: {
            /** Format: date-time */
            opens: string;
            /** Format: date-time */
            closes: string;
            allowed: boolean;
            winner: string;
        };
        /** @description Codes for the day the authenticator is lost; each works once, and they are shown once. */
        SpareCodesShape: {
            recovery_codes: string[];
        };
        /** @description So many of one group, who vote after those before them. */
        StageShape: {
            group: string;
            needed: number;
        };
        /** @description So many of one group, who vote after those before them. */
        StageShapeRequest: {
            group: string;
            /** @default 1 */
            needed?: number;
        };
        /** @description One group in its turn: how many of it must agree, and how many have. */
        StageVotesShape: {
            group: string;
            needed: number;
            given: number;
        };
        /** @description What a decision puts at stake; equal `change`s may be approved together. */
        StakesShape: {
            when: components["schemas"]["WhenShape"];
            risk: components["schemas"]["RiskShape"];
            blast: components["schemas"]["BlastShape"];
            report: components["schemas"]["ReportCountsShape"] | null;
            references: components["schemas"]["ReferencesAtStakeShape"];
            change: string;
        };
        /** @description Since when nobody has reported. */
        StallShape: {
            /** Format: date-time */
            since: string;
            shards: number[];
            sentence: string;
            causes: string[];
        };
        /** @description One step of the stepper. */
        StepShape: {
            step: string;
            /** @enum {string} */
            state: "done" | "current" | "todo" | "failed" | "skipped";
            /** Format: date-time */
            started_at: string | null;
            /** Format: double */
            took_seconds: number | null;
            who: string;
            /** @description What it went by, where that is known. */
            text: string;
        };
        /** @description How many stored resources hold a field, lack it, or hold what its new type is not. */
        StoredCountShape: {
            /** @enum {string} */
            kind: "holding" | "lacking" | "misfit";
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
        SubscriptionShape: {
            service: string;
            region: string;
            /**
             * @description `unknown` when it was not heard of for a minute.
             * @enum {string}
             */
            state: "following" | "unknown" | "parked";
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
        };
        /** @description An upgrade that switched, and for how long it paused writes. */
        SwitchSchema: {
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
        /** @description One step of the switch itself. */
        SwitchStepShape: {
            step: string;
            state: string;
            text: string;
            /** Format: double */
            took_seconds: number | null;
        };
        /** @description How much is under way in a deployment. */
        TallyShape: {
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
        /** @description The outcomes, in the order of the requests. */
        TogetherAnswerShape: {
            items: components["schemas"]["TogetherOutcomeShape"][];
        };
        /** @description One request, and the digest of the evidence that was seen. */
        TogetherItemShapeRequest: {
            id: string;
            digest: string;
        };
        /** @description What became of one request: 200, or the problem that refused the vote. */
        TogetherOutcomeShape: {
            id: string;
            status: number;
            problem: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The same change in up to a hundred places. */
        TogetherShapeRequest: {
            requests: components["schemas"]["TogetherItemShapeRequest"][];
            /** @default  */
            comment?: string;
        };
        TokenPage: {
            items: components["schemas"]["TokenShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A token, without its secret. */
        TokenShape: {
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
        /** @description How long the newest copies of the service took until all shards were level. */
        TookShape: {
            /** Format: double */
            low_seconds: number;
            /** Format: double */
            high_seconds: number;
            upgrades: number;
        };
        /** @description The upgrade came into another state. */
        TransitionSchema: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            state: "PLANNED" | "SYNCING" | "READY" | "SWITCHING" | "REVERSIBLE" | "COMPLETED" | "ABORTED" | "REVERTING" | "REVERTED" | "HALTED";
            who: string;
        };
        /** @description How long one's own turn lasts from now. */
        TurnShapeRequest: {
            hours: number;
        };
        /** @description A deployment that did not answer. */
        UnansweredShape: {
            service: string;
            region: string;
            reason: string;
        };
        /** @description Why what was asked for last was not done. */
        UndoneShape: {
            /** Format: date-time */
            at: string;
            text: string;
        };
        /** @description A deployment that cannot go to a version, and why. */
        UnreachableShape: {
            deployment: string;
            reason: string;
        };
        UpgradeEventPage: {
            items: components["schemas"]["LineShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        UpgradePage: {
            items: components["schemas"]["UpgradeSummaryShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description An upgrade with its steps, its gate and its actions. */
        UpgradeShape: {
            id: string;
            rev: number;
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            /** @enum {string} */
            kind: "version" | "location" | "data";
            /** @enum {string} */
            state: "PLANNED" | "SYNCING" | "READY" | "SWITCHING" | "REVERSIBLE" | "COMPLETED" | "ABORTED" | "REVERTING" | "REVERTED" | "HALTED";
            paused: boolean;
            request: string;
            meta_stage: string;
            sentence: string;
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
            shards: components["schemas"]["ShardsShape"];
            progress: components["schemas"]["ProgressShape"];
            parked_count: number;
            stall: components["schemas"]["StallShape"] | null;
            blockages: components["schemas"]["BlockageShape"][];
            /** Format: date-time */
            reversible_until: string | null;
            /** Format: double */
            freeze_ms: number | null;
            /** @description Null: it copies and compares as fast as it can. */
            paced: components["schemas"]["PacedShape"] | null;
            steps: components["schemas"]["StepShape"][];
            /** @description What the start went by; while it is planned, what it would go by now. */
            preflight: components["schemas"]["CheckShape"][];
            switch_steps: components["schemas"]["SwitchStepShape"][];
            gate: components["schemas"]["GateShape"];
            actions: components["schemas"]["ActionShape"][];
            data_tasks: components["schemas"]["DataTaskShape"][];
            /** @description Only in a dry run of switch and rollback. */
            rehearsal?: components["schemas"]["RehearsalShape"];
            plan: {
                [key: string]: unknown;
            };
            /** @description The operation that carries out what was asked last; empty when none does. */
            operation_id: string;
            undone: components["schemas"]["UndoneShape"] | null;
        };
        /** @description An upgrade as lists show it. */
        UpgradeSummaryShape: {
            id: string;
            rev: number;
            deployment: string;
            service: string;
            region: string;
            from_version: string;
            to_version: string;
            /** @enum {string} */
            kind: "version" | "location" | "data";
            /** @enum {string} */
            state: "PLANNED" | "SYNCING" | "READY" | "SWITCHING" | "REVERSIBLE" | "COMPLETED" | "ABORTED" | "REVERTING" | "REVERTED" | "HALTED";
            paused: boolean;
            request: string;
            meta_stage: string;
            sentence: string;
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
            shards: components["schemas"]["ShardsShape"];
            progress: components["schemas"]["ProgressShape"];
            parked_count: number;
            stall: components["schemas"]["StallShape"] | null;
            blockages: components["schemas"]["BlockageShape"][];
            /** Format: date-time */
            reversible_until: string | null;
            /** Format: double */
            freeze_ms: number | null;
        };
        /** @description Who used which version of a service; `uncounted` messages of any service found no room to be counted. */
        UsageShape: {
            service: string;
            days: number;
            /** Format: date */
            since: string;
            uncounted: number;
            versions: components["schemas"]["VersionUseShape"][];
        };
        UsedPlacePage: {
            items: components["schemas"]["UsedPlaceSchema"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A version, a resource type or a field: who uses it, what is proved, and when it may go. */
        UsedPlaceSchema: {
            /** @enum {string} */
            kind: "version" | "type" | "field";
            /** @description The version, the type, or type and path, such as Box.lid.colour. */
            place: string;
            deprecated_since: string | null;
            /** Format: date */
            sunset: string | null;
            replaced_by: string;
            /** @description Who sent it or named it in a mask, filter or order; who writes. */
            senders: components["schemas"]["SeenClientShape"][];
            /** @description To whom answers returned it; who reads. */
            readers: components["schemas"]["SeenClientShape"][];
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
            /**
             * Format: date
             * @description The earliest day, if no client uses it from now on; null where unknown.
             */
            removable_on: string | null;
        };
        /** @description What the voter has to say. */
        VerdictShapeRequest: {
            /** @default  */
            comment?: string;
        };
        /** @description Who used a version. */
        VersionUseShape: {
            version: string;
            messages: number;
            /** Format: date-time */
            last_seen: string;
            clients: components["schemas"]["ClientUseShape"][];
        };
        /** @description The resource in one version, or why that version has none. */
        VersionViewShape: {
            version: string;
            /** @enum {string} */
            how: "native" | "translated" | "preview" | "would be";
            type: string | null;
            name: string | null;
            document: {
                [key: string]: unknown;
            } | null;
            reason: string;
            steps: components["schemas"]["ConversionStepShape"][];
        };
        ViewPage: {
            items: components["schemas"]["ViewShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A view of a list: what its address says, under a name. */
        ViewShape: {
            name: string;
            query: string;
            first: boolean;
            shared: boolean;
            /** @description The page opens with it for who chose none of their own. */
            everybody: boolean;
            owner: string;
        };
        /** @description One person's word. */
        VoteShape: {
            who: string;
            /** @enum {string} */
            verdict: "approve" | "reject" | "changes";
            comment: string;
            /** Format: date-time */
            at: string;
            round: number;
            void_reason: string;
        };
        /** @description Work on confirmations or deletions that somebody else holds up. */
        WaitShape: {
            /** @enum {string} */
            work: "pending" | "deleting";
            waits_for: string;
            /** @description True when a person must look. */
            parked: boolean;
            /** Format: double */
            seconds: number;
        };
        WaiverPage: {
            items: components["schemas"]["WaiverShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description A finding that is accepted until a day, once somebody else approved. */
        WaiverShape: {
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
            decision: components["schemas"]["DecisionShape"] | null;
        };
        /** @description What a change would mean for upgrades under way. */
        WarningsShape: {
            warnings: string[];
        };
        /** @description Who could give access, and what became of asking. */
        WayToAccessShape: {
            who_can: string[];
            request: components["schemas"]["AccessRequestShape"] | null;
        };
        /** @description What was switched in the last seven days; null where no switch has a figure. */
        WeekSchema: {
            switches: number;
            rolled_back: number;
            /** Format: double */
            median_freeze_ms: number | null;
            /** Format: double */
            longest_freeze_ms: number | null;
            newest: components["schemas"]["SwitchSchema"][];
        };
        /** @description When it would happen if the last vote came now; `not_before` is null when nothing holds it back. */
        WhenShape: {
            sentence: string;
            /** Format: date-time */
            not_before: string | null;
        };
        WindowPage: {
            items: components["schemas"]["WindowShape"][];
            next_cursor: string | null;
            has_more: boolean;
        };
        /** @description When a window or freeze is open: by cron and minutes, or from one local time to another. */
        WindowRulesShapeRequest: {
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
        /** @description A window as it is kept, with its next openings. */
        WindowShape: {
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
            next: components["schemas"]["OccurrenceShape"][];
        };
        /** @description One class of background work. */
        WorkClassShape: {
            work_class: string;
            /**
             * Format: double
             * @description Its share of worker time; null: it goes before all others.
             */
            share: number | null;
            /** @description How many of its keys are due, and nobody holds them. */
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
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            instance?: string;
            code: string;
            remedy?: string;
            request_id: string;
            errors?: {
                path: string;
                message: string;
                remedy?: string;
                code?: string;
            }[];
            who_can?: string[];
            retry_after?: number;
            /** @description On 409, the upgrade that holds the deployment. */
            upgrade_id?: string;
            /** @description Of several requests that are sent as one, the place of the one that is refused. */
            failed_request?: number;
            /** @description On 410, the page that tells what became of it. */
            link?: string;
            /** @description On 412, the current representation. */
            current?: unknown;
            /** @description On 412, who changed it last, when, and what they did; nobody where Switchyard did. */
            changed?: {
                who: string;
                /** Format: date-time */
                at: string;
                what: string;
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
    };
    responses: {
        /** @description The request is wrong. */
        Refused400: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Sign in first. */
        Refused401: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not allowed. */
        Refused403: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such thing. */
        Refused404: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not here. */
        Refused405: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not in this form. */
        Refused406: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The present state forbids it. */
        Refused409: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It was here, and is gone. */
        Refused410: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It was changed meanwhile. */
        Refused412: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is too large. */
        Refused413: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not in this form. */
        Refused415: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key was used for another request. */
        Refused422: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Say which state you saw. */
        Refused428: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. */
        Refused429: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not just now. */
        Refused503: {
            headers: {
                "X-Request-ID": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Makes a repeat safe, such as with a UUID: for a day the same request with the same key is answered as the first time, and done once. Another request with the same key is refused (422), and so is a repeat while the first one runs (409). */
        IdempotencyKey: string;
        /** @description Names the request in its answer, the log and the audit log; made up if left out. */
        RequestId: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request, as in the log and the audit log. */
        RequestId: string;
        /** @description Only where this is the answer that was given to the first request with the key. */
        Replayed: "true";
        /** @description The same request may succeed in so many seconds. */
        RetryAfter: number;
    };
    pathItems: never;
}
