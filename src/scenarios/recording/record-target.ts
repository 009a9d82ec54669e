import { bytesToExchangedBody, type Exchange, type ExchangedBody } from '../../http/exchange.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { PolicyOverrides, Profile } from '../../policies/settings.ts'
import { Clock } from '../../world/clock/clock.ts'
import type { ChangeStep, RequestStep } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'
import type { ReceivedResponse, SentRequest, Target } from '../run/target.ts'
import { nearestProfile } from './change-steps.ts'
import { toExactStep } from './exact-step.ts'
import { UnknownKeys } from './request-keys.ts'
import type { StepSink } from './run-recorder.ts'

/** How the world of a replay began: the fields of a scenario that say it. */
export interface RecordedStart {
  readonly title: string
  readonly profile?: Profile
  readonly policies?: PolicyOverrides
  readonly clock?: string
  /** As JSON text in pieces; null where it is not known */
  readonly world: Iterable<string> | null
}

/**
 * A target whose requests and changes are recorded from here on.
 *
 * @param record told how the world is now, gives where the steps go
 * @param titleOf the title of the step that is run
 */
export async function recordTarget(
  target: Target,
  { title }: { readonly title: string },
  record: (beginning: RecordedStart) => StepSink,
  titleOf: () => string | undefined,
): Promise<Target> {
  const [world, clock] = [await target.world(), await target.clock()]
  if (world === null || clock === null) {
    const sink = record({ title, world: null })
    return wrapTarget(target, { sink, clock: null, title: titleOf })
  }
  const { mode, now } = clock
  const beginning = {
    title,
    ...nearestProfile((await target.settings()) as PolicySettings),
    clock: now,
    world,
  }
  const sink = record(beginning)
  const setting = mode === 'real' ? mode : { mode, time: now }
  return wrapTarget(target, { sink, clock: new Clock(setting), title: titleOf })
}

/** How what is recorded began, and where its steps go. */
interface TargetRecording {
  readonly sink: StepSink
  /** One that goes as that of the target does; null where that is not known */
  readonly clock: Clock | null
  /** The title of the step that is run. */
  readonly title: () => string | undefined
}

/**
 * A target that tells each request with its exact answer, and each change of the world as it was made.
 *
 * @note Where its clock runs it is set to the time before each step, so that the same times come again.
 */
function wrapTarget(target: Target, { sink, clock, title }: TargetRecording): Target {
  const labels = new Map<string, string>()
  const keys = new UnknownKeys(() => labels)
  const add = (step: ChangeStep | RequestStep): void => {
    const said = title()
    sink.add(said === undefined ? step : { title: said, ...step })
  }
  const keepTime = async (): Promise<void> => {
    if (!clock || clock.mode === 'frozen') return
    const time = { clock: clock.iso() }
    await target.change(time)
    sink.add(time)
  }
  return {
    ...target,
    key(label) {
      const value = target.key(label)
      if (value !== undefined) labels.set(value, label)
      return value
    },
    async change(change) {
      if (!('clock' in change || 'advance' in change)) await keepTime()
      const added = await target.change(change)
      if ('clock' in change) clock?.set(change.clock)
      if ('advance' in change) clock?.advance(change.advance)
      add(keys.hideInChange(('world' in change ? change : escapeLiterals(change)) as ChangeStep))
      return added
    },
    async send(sent) {
      await keepTime()
      const heard = await target.send(sent)
      const exact = toExactStep(targetExchange(sent, heard), keys, target.baseUrl)
      if ('lost' in exact) sink.omit(exact.lost)
      else add(exact.step)
      return heard
    },
  }
}

function targetExchange(
  sent: SentRequest,
  { status, headers, text, base64, broken }: ReceivedResponse,
): Exchange {
  return {
    at: '',
    ms: 0,
    method: sent.method,
    url: sent.url,
    request: { headers: Object.entries(sent.headers), body: toExchangedBody(sent.body) },
    answer: {
      status: broken ? 0 : status,
      headers: [...headers.entries()],
      body: base64 === undefined ? { text } : { base64 },
    },
  }
}

function toExchangedBody(body: SentRequest['body']): ExchangedBody | null {
  if (body === undefined) return null
  return typeof body === 'string' ? { text: body } : bytesToExchangedBody(body)
}
