import type { Comparison, Unseen } from './comparison.ts'
import { type LocateOptions, locate } from './locate.ts'
import { Player } from './player.ts'
import { type Probe, probesFor } from './probes.ts'
import { ProbeSender, type Received, type SenderOptions } from './sender.ts'
import { causesBy, commonSignature, type Signature, valueIn, withoutNoise } from './signature.ts'

export interface ObserveOptions extends SenderOptions, LocateOptions {
  readonly allowWrites: boolean
}

export interface ObservedServer extends Pick<Comparison, 'requests' | 'left' | 'ended'> {
  readonly probes: readonly Probe[]
  /** What the answers to each probe have in common. Null if they show nothing */
  readonly seen: readonly (Signature | null)[]
  /** Why the answers to each probe show nothing. Null if they show something */
  readonly unseen: readonly (Unseen | null)[]
  readonly throttled: readonly Received[]
}

type Answer = Signature | Unseen

/** How many probes are sent before they are sent again: a server that fails for a while fails one of two. */
const blockSize = 12

/** Sends the probes to a server, each twice, and removes the rows that it created. @throws UnreachableError */
export async function observeServer(options: ObserveOptions): Promise<ObservedServer> {
  const sender = new ProbeSender(options)
  const { ids, control } = await locate(options, sender)
  const labels = options.keys.map(({ label }) => label)
  const probes = probesFor(labels, options.allowWrites)
  const players = ['1', '2'].map((number) => {
    const marked = { ...ids, marker: options.marker + number }
    return new Player(options.url, sender, marked)
  })
  const passes: readonly Answer[][] = [[], []]
  const left: string[] = []
  try {
    for (let from = 0; from < probes.length; from += blockSize) {
      const block = probes.slice(from, from + blockSize)
      const received: Answer[][] = []
      for (const player of players) {
        const answers: Answer[] = []
        for (const probe of block) answers.push(await player.play(probe))
        received.push(answers)
      }
      const checked = await (players[0] as Player).play(control)
      const isWorking = !('why' in checked) && checked.code < 300
      for (const [index, answers] of received.entries())
        passes[index]?.push(...(isWorking ? answers : answers.map(toFailure)))
    }
  } finally {
    for (const player of players) left.push(...(await player.own.remove()))
  }
  return {
    ...{ probes, ...compareAnswers(probes, passes), throttled: sender.throttled },
    ...{ requests: sender.count, left, ended: sender.end },
  }
}

function toFailure(answer: Answer): Unseen {
  return 'why' in answer ? answer : { why: 'failure', got: `a ${answer.code}` }
}

function compareAnswers(
  probes: readonly Probe[],
  passes: readonly (readonly Answer[])[],
): Pick<ObservedServer, 'seen' | 'unseen'> {
  const pairs = probes.map((_, at) =>
    passes.map((answers) => answers[at] ?? { why: 'ended', got: null }),
  ) as [Answer, Answer][]
  const common = pairs.map(([first, second]) => commonAnswer(first, second))
  const missing = common[probes.findIndex(({ like }) => like === 'missing row')]
  const isMissingPage = !missing || 'why' in missing || missing.isPage
  const answers = common.map((answer): Answer => {
    if ('why' in answer || !answer.isPage || isMissingPage) return answer
    const form = valueIn(answer, 'form') ?? valueIn(answer, 'form of a refusal')
    return { why: 'other_form', got: `${form} with the status ${answer.code}` }
  })
  const seen = withoutNoise(answers.map((answer) => ('why' in answer ? null : answer)))
  const withCause = causesBy(probes, seen)
  return {
    seen: seen.map((signature) => signature && withCause(signature)),
    unseen: answers.map((answer) => ('why' in answer ? answer : null)),
  }
}

/** What two answers to the same probe have in common, or why they show nothing. */
function commonAnswer(first: Answer, second: Answer): Answer {
  if ('why' in first) return first
  if ('why' in second) return second
  const common = commonSignature(first, second)
  if (common) return common
  // A 501 is no failure: the server lacks the operation.
  const failure = [first, second].find(({ code }) => code >= 500 && code !== 501)
  if (failure) return toFailure(failure)
  const got =
    first.code === second.code
      ? `two bodies with the status ${first.code}`
      : `a ${first.code}, then a ${second.code}`
  return { why: 'unstable', got }
}
