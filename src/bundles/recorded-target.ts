import { bytesToBody } from '../recordings/bytes.ts'
import type { Exchange, ExchangedBody } from '../recordings/exchange.ts'
import { literalWithin } from '../scenarios/literal.ts'
import type { ChangeStep, RequestStep } from '../scenarios/scenario.ts'
import type { Heard, Sent, Target } from '../scenarios/target.ts'
import type { Clock } from '../world/clock.ts'
import { exactStep } from './exact-step.ts'
import type { StepSink } from './run-recorder.ts'
import { StrangeKeys } from './strange-keys.ts'

/** How what is recorded began, and where its steps go. */
interface Recording {
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
export function recordedTarget(target: Target, { sink, clock, title }: Recording): Target {
  const labels = new Map<string, string>()
  const keys = new StrangeKeys(() => labels)
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
      add(keys.change(('world' in change ? change : literalWithin(change)) as ChangeStep))
      return added
    },
    async send(sent) {
      await keepTime()
      const heard = await target.send(sent)
      const exact = exactStep(exchangeOf(sent, heard), keys, target.baseUrl)
      if ('lost' in exact) sink.lose(exact.lost)
      else add(exact.step)
      return heard
    },
  }
}

function exchangeOf(sent: Sent, { status, headers, text, base64, broken }: Heard): Exchange {
  return {
    at: '',
    ms: 0,
    method: sent.method,
    url: sent.url,
    request: { headers: Object.entries(sent.headers), body: sentBody(sent.body) },
    answer: {
      status: broken ? 0 : status,
      headers: [...headers.entries()],
      body: base64 === undefined ? { text } : { base64 },
    },
  }
}

function sentBody(body: Sent['body']): ExchangedBody | null {
  if (body === undefined) return null
  return typeof body === 'string' ? { text: body } : bytesToBody(body)
}
