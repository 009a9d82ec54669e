import { bytesToExchangedBody } from '../recordings/bytes.ts'
import type { Exchange, ExchangedBody } from '../recordings/exchange.ts'
import { escapeLiterals } from '../scenarios/literal.ts'
import type { ChangeStep, RequestStep } from '../scenarios/scenario.ts'
import type { ReceivedResponse, SentRequest, Target } from '../scenarios/target.ts'
import type { Clock } from '../world/clock.ts'
import { toExactStep } from './exact-step.ts'
import type { StepSink } from './run-recorder.ts'
import { UnknownKeys } from './strange-keys.ts'

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
export function wrapTarget(target: Target, { sink, clock, title }: TargetRecording): Target {
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
