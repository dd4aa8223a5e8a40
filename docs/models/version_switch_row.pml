/* Switchyard model (b''): the gate of a deployment and the row of its upgrade.
 *
 * DATA database: the GATE row (active version, mode, epoch).
 * CONTROL database: the upgrade's row (its state, the epoch of the freeze it announced, what is asked of it,
 *                   which director claimed it last).
 * Every 'atomic' is one transaction of ONE database. Data, followers and parity are in version_switch.pml.
 * A director announces its freeze in the row, then makes it. It may stop anywhere (crash) or be arbitrarily late,
 * with a lease that ran out long ago; others go on meanwhile.
 *
 * Design switches (defaults = corrected protocol)
 *  WITHDRAW 1 who gives up a freeze that is not made raises the gate's epoch, so that nobody makes it any more
 *           0 it is enough that nothing is frozen at the moment
 *  NEWEST   1 only the director that claimed the row last may move it; 0 whoever read its state
 *  ANNOUNCE 1 the epoch is announced before the freeze; 0 afterwards
 */
#ifndef WITHDRAW
#define WITHDRAW 1
#endif
#ifndef NEWEST
#define NEWEST 1
#endif
#ifndef ANNOUNCE
#define ANNOUNCE 1
#endif
#ifndef ND
#define ND 2      /* directors */
#endif
#ifndef NGO
#define NGO 2     /* how often a switch, or the way back, is asked for */
#endif
#ifndef NAB
#define NAB 1     /* how often an abort is asked for */
#endif
#define OPEN 0
#define FROZEN 1
#define READY 0
#define SWITCHING 1
#define REVERSIBLE 2
#define REVERTING 3
#define REVERTED 4
#define ABORTED 5
#define HALTED 6
#define NOTHING 0
#define GO 1
#define ABORT 2

/* ---- DATA ---- */
byte gver = 1, gmode = OPEN, gep = 1;
/* ---- CONTROL ---- */
byte st = READY, fep = 0, req = NOTHING, newest = 0;

#define MOVING (st == SWITCHING || st == REVERTING)
#define WORK (MOVING || (req != NOTHING && (st == READY || st == REVERSIBLE)))
#if NEWEST
#define MAY(was) (st == was && newest == me)
#else
#define MAY(was) (st == was)
#endif
#define ORIGIN(state) ((state == READY || state == SWITCHING -> 1 : 2))

inline look() { atomic { sver = gver; smode = gmode; sep = gep } }
/* never behind a row that says something else */
inline flip(org, e) {
  assert(MOVING && fep == e);
  gver = 3 - org; gmode = OPEN; gep++
}

proctype Director(byte me) {
  byte was, mine, asked, org, sver, smode, sep, e;
end: do
  :: atomic { WORK -> newest = me; was = st; mine = fep; asked = req; org = ORIGIN(st) };
     if
     :: was == READY && asked == ABORT ->
          atomic { if :: MAY(was) -> st = ABORTED; req = NOTHING :: else fi }; goto out
     :: (was == REVERSIBLE || was == REVERTING) && asked == ABORT ->
          atomic { if :: MAY(was) && req == ABORT -> req = NOTHING :: else fi };
          if :: was == REVERSIBLE -> goto out :: else fi;
          look(); goto resume
     :: (was == READY || was == REVERSIBLE) && asked == GO ->
          look();
#if ANNOUNCE
          atomic { if
            :: MAY(was) -> st = was + 1; fep = sep + 1; mine = sep + 1; was = st
            :: else -> goto out
            fi };
#else
          if
          :: atomic { smode == OPEN && gmode == OPEN && gver == org && gep == sep -> gmode = FROZEN; gep++; e = gep }
          :: else -> goto out
          fi;
          if :: skip :: goto out fi;
          atomic { if
            :: MAY(was) -> st = was + 1; fep = e; mine = e; was = st
            :: else -> goto out
            fi };
          goto frozen;
#endif
          if :: skip :: goto out /* crash */ fi;
          goto crossing
     :: (was == SWITCHING || was == REVERTING) && !(was == REVERTING && asked == ABORT) -> look(); goto resume
     fi;
resume:
     if
     :: sver != org && smode == OPEN -> goto settle_new
     :: else ->
          if
          :: sver != org || sep > mine + 1 ->                       /* doubt */
               atomic { if :: MAY(was) -> st = HALTED :: else fi }; goto out
          :: else ->
               if
               :: smode == OPEN && sep >= mine -> goto settle_old
               :: smode == OPEN && sep < mine && asked == ABORT -> goto give_up
               :: else -> goto crossing
               fi
          fi
     fi;
crossing:
     if
     :: smode == FROZEN -> e = sep                                   /* take over a freeze that stands */
     :: smode == OPEN ->
          if
          :: atomic { gmode == OPEN && gver == org && gep == sep -> gmode = FROZEN; gep++; e = gep }
          :: atomic { !(gmode == OPEN && gver == org && gep == sep) -> goto out }   /* stale */
          :: goto give_up                                            /* writers did not pause */
          :: goto out                                                /* crash, or late for ever */
          fi
     fi;
frozen:
     if
     :: atomic { gmode == FROZEN && gver == org && gep == e -> flip(org, e) }; if :: goto settle_new :: goto out fi
     :: atomic { !(gmode == FROZEN && gver == org && gep == e) -> skip }            /* somebody was faster */
     :: atomic { gmode == FROZEN && gver == org && gep == e -> gmode = OPEN; gep++ } /* not equal, or aborted */
     :: goto out
     fi;
     look();
     if :: sver != org && smode == OPEN -> goto settle_new :: else -> goto settle_old fi;
give_up:
     look();
     if
     :: smode == FROZEN && sep == mine ->
          atomic { if :: gmode == FROZEN && gep == sep && gver == sver -> gmode = OPEN; gep++ :: else fi }; look()
#if WITHDRAW
     :: smode == OPEN && sep < mine ->
          atomic { if
            :: gmode == OPEN && gep == sep && gver == sver -> gep++
            :: else -> goto out
            fi };
          look()
#endif
     :: else -> skip
     fi;
     if :: smode != OPEN || sver != org -> goto out :: else fi;
settle_old:
     atomic { if
       :: MAY(was) && was == SWITCHING && (asked == ABORT || req == ABORT) -> st = ABORTED; req = NOTHING
       :: MAY(was) && was == SWITCHING && !(asked == ABORT || req == ABORT) -> st = READY; req = NOTHING
       :: MAY(was) && was == REVERTING -> st = REVERSIBLE; req = NOTHING
       :: else
       fi };
     goto out;
settle_new:
     atomic { if
       :: MAY(was) && was == SWITCHING -> st = REVERSIBLE; req = NOTHING
       :: MAY(was) && was == REVERTING -> st = REVERTED; req = NOTHING
       :: else
       fi };
out: atomic { was = 0; mine = 0; asked = 0; org = 0; sver = 0; smode = 0; sep = 0; e = 0 }
  od
}

/* people */
proctype People() {
  byte gone, aborts;
end: do
  :: atomic { gone < NGO && req == NOTHING && (st == READY || st == REVERSIBLE) -> req = GO; gone++ }
  :: atomic { aborts < NAB && (st == READY || MOVING) && req != ABORT -> req = ABORT; aborts++ }
  od
}
/* the freeze deadline: whoever meets it opens the gate again */
proctype Clock() {
end: do
  :: atomic { gmode == FROZEN -> gmode = OPEN; gep++ }
  od
}
proctype Fin() {
  timeout ->
  assert(gmode == OPEN);
  assert(!MOVING);                                       /* an upgrade comes to rest */
  assert(st != HALTED);                                  /* no doubt without a cause */
  assert(gver == (st == REVERSIBLE -> 2 : 1))            /* and its row says what is true */
}
init {
  atomic {
    run Director(1);
#if ND > 1
    run Director(2);
#endif
#if ND > 2
    run Director(3);
#endif
    run People(); run Clock(); run Fin()
  }
}
