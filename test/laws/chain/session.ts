import fc from 'fast-check'
import odd from '../../../fixtures/odd.json' with { type: 'json' }
import {
  createSimulator,
  type Exchange,
  type FaultRequest,
  type Scenario,
  type SettingOverrides,
  type Simulator,
  type WorldJson,
} from '../../../src/index.ts'
import { settingIds, settingsById } from '../../../src/settings/setting.ts'
import type { BuiltInWorld } from '../../../src/world/load/build-world.ts'
import { readRequest, readResponse } from './exchange.ts'
import { type Intent, intents, Speaker } from './intents.ts'

/** A client, the service that it meets, and what happens to the service meanwhile. */
export interface Session {
  readonly start: Pick<Scenario, 'profile' | 'settings' | 'clock'> & {
    readonly world: 'default' | 'empty' | 'odd'
  }
  readonly acts: readonly Act[]
  /** Names of headers and fields that are secret although they do not look like it */
  readonly redact: readonly string[]
}

type Act = Intent | Change

/** What happens without a request. */
type Change =
  | { readonly fault: FaultRequest }
  | { readonly advance: number }
  | { readonly settings: SettingOverrides }
  | { readonly content: string }
  | { readonly hide: number }
  | { readonly call: 'save' | 'restore' | 'reset' | 'clear' }

/** A run of a session: what a proxy saw, and the simulator that answered. */
export interface Run {
  readonly simulator: Simulator
  /** With keys, as they were sent */
  readonly exchanges: readonly Exchange[]
}

export const clientOrigin = 'http://service.test'

/** Sends the requests of a session, one after another. @param other answers instead of the simulator of the session */
export async function runSession(
  { start, acts, redact }: Session,
  other: Pick<Simulator, 'fetch'> | null = null,
): Promise<Run> {
  const simulator = createSimulator({ ...start, world: worldOf(start), journal: { redact } })
  const speaker = new Speaker(simulator)
  const exchanges: Exchange[] = []
  let saved = simulator.snapshot()
  for (const act of acts) {
    if (!('method' in act)) {
      // Another service is a recording, in which these have happened.
      if (!other) saved = change(simulator, act, saved)
      continue
    }
    const request = speaker.request(act, clientOrigin)
    const sent = await readRequest(request)
    const response = await readResponse((other ?? simulator).fetch(request))
    speaker.listen(response)
    exchanges.push({ at: simulator.clock.iso(), ms: 1, ...sent, response })
  }
  return { simulator, exchanges }
}

export function worldOf({ world }: Session['start']): BuiltInWorld | WorldJson {
  return world === 'odd' ? (odd as unknown as WorldJson) : world
}

type Saved = ReturnType<Simulator['snapshot']>

function change(simulator: Simulator, act: Change, saved: Saved): Saved {
  const { world } = simulator
  if ('fault' in act) simulator.faults.add(act.fault)
  else if ('advance' in act) simulator.clock.advance({ minutes: act.advance })
  else if ('settings' in act) simulator.settings.set(act.settings)
  else if ('content' in act) simulator.addRows({ annotations: [{ content: act.content }] })
  else if ('hide' in act) {
    const rows = world.annotations.list()
    const row = rows[act.hide % Math.max(1, rows.length)]
    if (row) world.annotations.update(row.id, { deleted: !row.deleted })
  } else if (act.call === 'save') return simulator.snapshot()
  else if (act.call === 'restore') simulator.restore(saved)
  else if (act.call === 'reset') simulator.reset({ only: ['rows'] })
  else simulator.faults.clear()
  return saved
}

const operation = fc.constantFrom(
  'createAnnotation',
  'listAnnotations',
  'updateAnnotation',
  'retrieveAnnotation',
)

const fault = fc
  .tuple(
    operation,
    fc.constantFrom<object[]>(
      { phase: 'before', effect: { drop: true } },
      { phase: 'after-commit', effect: { drop: true } },
      { effect: { cut_bytes: 20 } },
      { effect: { error: 'throttled', retry_after_s: 3 } },
      { effect: { error: 'server_error' } },
      { effect: { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>502</h1>' } },
      { phase: 'after-commit', effect: { status: 504 } },
    ),
    fc.constantFrom({ times: 1 }, { times: 2 }, { times: 1, skip: 1 }),
  )
  .map(
    ([name, rule, when]): Change => ({
      fault: { operation: name, when, ...rule } as FaultRequest,
    }),
  )

const setting = fc
  .tuple(fc.constantFrom(...settingIds), fc.nat({ max: 5 }))
  .map(([id, at]): SettingOverrides => {
    const values = Object.keys(settingsById[id].values).filter((value) => value !== 'integer')
    return values.length === 0 ? {} : { [id]: values[at % values.length] }
  })

const edit = fc.tuple(operation, fc.nat({ max: 2 })).map(
  ([name, skip]): Change => ({
    fault: {
      operation: name,
      when: { skip, times: 1 },
      effect: { edit: [{ rows: { annotations: [{ content: 'By somebody else' }] } }] },
    } as FaultRequest,
  }),
)

const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fault },
  fc.constantFrom<Change[]>(
    { call: 'save' },
    { call: 'restore' },
    { call: 'reset' },
    { call: 'clear' },
  ),
  fc.nat({ max: 90 }).map((advance): Change => ({ advance })),
  setting.map((set): Change => ({ settings: set })),
  fc.constantFrom('Added by hand', 'Ask eve@corp.test').map((content): Change => ({ content })),
  fc.nat({ max: 9 }).map((hide): Change => ({ hide })),
  edit,
)

const starts = fc.record({
  world: fc.constantFrom(...(['default', 'default', 'empty', 'odd'] as const)),
  profile: fc.constantFrom('documented' as const, 'live' as const),
  settings: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, setting),
  clock: fc.constant('2024-06-15T12:00:00Z'),
})

/** @param changeWeight how many of ten acts are changes */
export function sessions(changeWeight: number): fc.Arbitrary<Session> {
  const act = fc.oneof<fc.WeightedArbitrary<Act>[]>(
    { weight: 10 - changeWeight, arbitrary: intents },
    { weight: changeWeight, arbitrary: changes },
  )
  return fc.record({
    start: starts,
    acts: fc.array(act, { minLength: 1, maxLength: 12 }),
    redact: fc.constantFrom([], ['X-Internal', 'nickname']),
  })
}
