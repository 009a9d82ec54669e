import type { World } from '../beginning.ts'
import { answer } from '../http/answer.ts'
import type { Answer } from '../http/call.ts'
import type { Sandbox } from '../http/sandbox.ts'
import type { WorldSandbox } from '../sandbox.ts'
import { forkTables, type Tables } from '../world/tables.ts'
import type { Disturbed } from './fault.ts'
import type { Asked } from './matching.ts'

interface Surroundings {
  readonly sandbox: WorldSandbox
  /** Carries the request out as if there were no fault. */
  readonly commit: () => Answer
  /** Runs what answers, and keeps for the journal what it reads. */
  readonly observe: (give: () => Answer) => Answer
}

/** A request, and the ways in which a fault can have it answered: each is the service's own way. */
export function disturbed(
  { route, params, call }: Asked,
  { sandbox, commit, observe }: Surroundings,
): Disturbed {
  return {
    call,
    commit,
    refuse(failure) {
      const enter = (): never => {
        throw failure
      }
      return observe(() => answer(route, params, call, sandbox, enter) as Answer)
    },
    recall: (tables) =>
      observe(() => answer(route, params, call, recalled(sandbox, tables)) as Answer),
  }
}

/** A sandbox with other rows, to read from: its keys, projects, policies and clock are those of now. */
function recalled(sandbox: WorldSandbox, tables: Tables): Sandbox<World> {
  const { noted, clock, settings, directory } = sandbox
  const loaded = { ...sandbox.loaded, tables: forkTables(tables) }
  const past = sandbox.like({ loaded, settings: noted.plain, clock })
  // What it reads of the policies is read for this request.
  past.noted = noted
  return {
    settings,
    directory,
    world: past.world,
    throttle: (key) => sandbox.throttle(key),
    report: sandbox.report,
  }
}
