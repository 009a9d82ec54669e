import type { Unseen } from './comparison.ts'
import type { ComparedKey } from './keys.ts'
import { locate } from './locate.ts'
import { Player } from './player.ts'
import { isWriteProbe, needsRows, type Probe, probesFor, subjectsOf } from './probes.ts'
import { ProbeSender, type Received, type SenderOptions } from './sender.ts'
import { causesBy, commonSignature, type Signature, valueIn, withoutNoise } from './signature.ts'

export interface ObserveOptions extends SenderOptions {
  /** The base URL of the server */
  readonly url: string
  /** The one that may do most first */
  readonly keys: readonly ComparedKey[]
  readonly project?: string | undefined
  readonly organization?: string | undefined
  readonly allowWrites: boolean
  /** A text that the rows of the comparison contain, and no others */
  readonly marker: string
}

/** What a server answered to the probes. */
export interface ObservedServer {
  readonly probes: readonly Probe[]
  /** What the answers to each probe have in common. Null if they show nothing */
  readonly seen: readonly (Signature | null)[]
  /** Why the answers to each probe show nothing. Null if they show something */
  readonly unseen: readonly (Unseen | null)[]
  /** The 429 responses */
  readonly throttled: readonly Received[]
  /** How many requests were sent, repeated ones included */
  readonly requests: number
  /** What the reader of a result must know, in sentences */
  readonly notes: readonly string[]
  /** Rows that may be left in the server, in sentences */
  readonly left: readonly string[]
  /** Why the comparison ended early, as a sentence. Null if it ran to its end */
  readonly ended: string | null
}

type Answer = Signature | Unseen

/** How many probes are sent before they are sent again: a server that fails for a while fails one of two. */
const blockSize = 12

/**
 * Sends the probes to a server, each twice. Rows that it creates are removed at the end, also after an interrupt.
 *
 * @throws UnreachableError if the server does not respond
 */
export async function observeServer(options: ObserveOptions): Promise<ObservedServer> {
  const sender = new ProbeSender(options)
  const { ids, control, hasSlash, notes } = await locate(options, sender)
  const all = probesFor(options.keys.map(({ label }) => label))
  const probes = all.filter((probe) => options.allowWrites || !needsRows(probe))
  const players = ['1', '2'].map((number) => {
    const marked = { ...ids, marker: options.marker + number }
    return new Player(options.url, sender, marked, hasSlash)
  })
  const passes: readonly Answer[][] = [[], []]
  const left: string[] = []
  const visible: string[] = []
  try {
    for (let from = 0; from < probes.length; from += blockSize) {
      const block = probes.slice(from, from + blockSize)
      const received: Answer[][] = []
      for (const player of players) {
        const answers: Answer[] = []
        for (const probe of block) answers.push(await player.play(probe))
        received.push(answers)
      }
      const isWorking = await checkServer(players[0] as Player, control, sender)
      for (const [index, answers] of received.entries())
        passes[index]?.push(...(isWorking ? answers : answers.map(toFailure)))
    }
  } finally {
    for (const player of players) {
      const removed = await player.own.remove()
      left.push(...removed.left)
      visible.push(...removed.visible)
    }
  }
  return {
    ...{ probes, ...compareAnswers(probes, passes), throttled: sender.throttled },
    ...{ requests: sender.count, notes: [...notes, ...describeVisible(visible)] },
    ...{ left, ended: sender.end },
  }
}

function describeVisible(paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const list = new Intl.ListFormat('en-GB').format(paths)
  return [`The server still shows annotations that were soft-deleted: ${list}.`]
}

/** Whether a request that worked before works still. A server that no longer answers it is left alone. */
async function checkServer(player: Player, control: Probe, sender: ProbeSender): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts && sender.end === null; attempt += 1) {
    if (attempt > 0) await sender.pause(2 ** (attempt - 1))
    const answer = await player.play(control)
    if ('why' in answer) continue
    if (answer.code < 300) return attempt === 0
    if (attempt + 1 === maxAttempts) {
      sender.finish(`The server stopped working: it answers with ${answer.code}.`)
    }
  }
  return false
}

const maxAttempts = 6

function toFailure(answer: Answer): Unseen {
  return 'why' in answer ? answer : { why: 'failure', got: `a ${answer.code}` }
}

function isFailure(answer: Answer): boolean {
  if ('why' in answer) return answer.why === 'failure' || answer.why === 'no_response'
  // A 501 is no failure: the server lacks the operation.
  return answer.code >= 500 && answer.code !== 501
}

/** What the answers of both passes show. */
function compareAnswers(
  probes: readonly Probe[],
  passes: readonly (readonly Answer[])[],
): Pick<ObservedServer, 'seen' | 'unseen'> {
  const pairs = probes.map((_, at) =>
    passes.map((answers): Answer => answers[at] ?? { why: 'ended', got: null }),
  ) as [Answer, Answer][]
  // A server that fails once has other rows in one of the passes.
  const failed = pairs.map((pair) => {
    const [failure, ...others] = pair.filter(isFailure)
    return others.length === 0 ? failure : undefined
  })
  const common = pairs.map(([first, second], at) => {
    const subjects = subjectsOf(at, probes)
    const before = failed.slice(0, at).find((failure, index) => {
      const isOfRows = subjectsOf(index, probes).some((name) => subjects.includes(name))
      return failure && isOfRows && isWriteProbe(probes[index] as Probe)
    })
    return commonAnswer(first, second, before)
  })
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

/**
 * What two answers to the same probe have in common, or why they show nothing.
 *
 * @param before how an earlier write to the same rows failed in one of the passes
 */
function commonAnswer(first: Answer, second: Answer, before: Answer | undefined): Answer {
  if ('why' in first) return first
  if ('why' in second) return second
  const common = commonSignature(first, second)
  if (common) return common
  const failure = [first, second].find(isFailure)
  if (failure) return toFailure(failure)
  const got =
    first.code === second.code
      ? `two bodies with the status ${first.code}`
      : `a ${first.code}, then a ${second.code}`
  if (!before) return { why: 'unstable', got }
  const { why, got: how } = toFailure(before)
  const once = why === 'failure' ? how : 'no response'
  return {
    why: 'failed_before',
    got: `${got}, after a write to the same rows had got ${once} once`,
  }
}
