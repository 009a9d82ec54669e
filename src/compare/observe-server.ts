import type { Unseen } from './comparison.ts'
import type { ComparedKey } from './keys.ts'
import { locate } from './locate.ts'
import { Player } from './player.ts'
import { needsRows, type Probe, probesFor } from './probes.ts'
import { ProbeSender, type Received, type SenderOptions } from './sender.ts'
import {
  commonSignature,
  type ProbeAnswer,
  type References,
  type Signature,
  signatureOf,
  withoutNoise,
} from './signature.ts'

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
interface ObservedServer {
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

/** How many probes are sent before they are sent again: a lie hits one of two, a failing minute one block. */
const blockSize = 12

/** From how many failures in a block on they are those of a server that is down. */
const manyFailures = 4

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
  const reserved = [0, 0]
  const players = ['1', '2'].map((number, index) => {
    const reserve = (requests: number): void => {
      reserved[index] = requests
      sender.reserved = reserved.reduce((sum, count) => sum + count)
    }
    const marked = { ...ids, marker: options.marker + number }
    return new Player(options.url, sender, marked, { hasSlash, reserve })
  })
  const signatures: (Signature | Unseen)[][] = [[], []]
  const references: readonly References[] = [{}, {}]
  const left: string[] = []
  const visible: string[] = []
  try {
    for (let from = 0; from < probes.length; from += blockSize) {
      const block = probes.slice(from, from + blockSize)
      const received: (ProbeAnswer | Unseen)[][] = []
      for (const player of players) {
        const answers: (ProbeAnswer | Unseen)[] = []
        for (const probe of block) answers.push(await player.play(probe))
        received.push(answers)
      }
      const isWorking = await checkServer(players[0] as Player, control, sender)
      // Only the signatures are kept: a server can answer each probe with a long page.
      for (const [index, answers] of received.entries()) {
        const believed = withoutFailures(answers, isWorking)
        signatures[index]?.push(...signaturesOf(believed, references[index] as References))
      }
    }
  } finally {
    for (const player of players) {
      left.push(...(await player.own.remove()))
      visible.push(...(await player.own.visibleAfterRemoval()))
    }
  }
  const [first = [], second = []] = signatures
  const common = probes.map((_, at) => commonAnswer(first[at], second[at]))
  const seen = common.map((answer) => ('why' in answer ? null : answer))
  const unseen = common.map((answer) => ('why' in answer ? answer : null))
  return {
    ...{ probes, seen: withoutNoise(seen), unseen, throttled: sender.throttled },
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
    if (!('status' in answer)) continue
    if (answer.status < 300) return attempt === 0
    if (attempt + 1 === maxAttempts) {
      sender.finish(`The server stopped working: it answers with ${answer.status}.`)
    }
  }
  return false
}

const maxAttempts = 6

/** The answers of a block that are those of a working server. */
function withoutFailures(
  answers: readonly (ProbeAnswer | Unseen)[],
  isWorking: boolean,
): (ProbeAnswer | Unseen)[] {
  // A 501 is no failure: the server lacks the operation.
  const isFailure = (answer: ProbeAnswer | Unseen): boolean =>
    'status' in answer && answer.status >= 500 && answer.status !== 501
  const isDown = answers.filter(isFailure).length >= manyFailures
  return answers.map((answer) => {
    const isLeftOut = 'status' in answer && (!isWorking || (isDown && isFailure(answer)))
    return isLeftOut ? { why: 'failure', got: `a ${answer.status}` } : answer
  })
}

/** @param references changed in place. The answers that others are compared with are in the first block */
function signaturesOf(
  answers: readonly (ProbeAnswer | Unseen)[],
  references: References,
): (Signature | Unseen)[] {
  const isAnswer = (answer: ProbeAnswer | Unseen): answer is ProbeAnswer => 'probe' in answer
  for (const answer of answers.filter(isAnswer)) {
    if (answer.probe.like) references[answer.probe.like] = answer
  }
  return answers.map((answer) => {
    if (!isAnswer(answer)) return answer
    const got = `${answer.error?.kind === 'html' ? 'an HTML page' : 'a text'} with the status ${answer.status}`
    return signatureOf(answer, references) ?? { why: 'other_form', got }
  })
}

/** What two answers to the same probe have in common, or why they show nothing. */
function commonAnswer(
  first: Signature | Unseen = { why: 'ended', got: null },
  second: Signature | Unseen = { why: 'ended', got: null },
): Signature | Unseen {
  if ('why' in first) return first
  if ('why' in second) return second
  const [before, after] = [first, second].map(({ shown }) => shown.status)
  const got =
    before === after ? `two bodies with the status ${before}` : `a ${before}, then a ${after}`
  return commonSignature(first, second) ?? { why: 'unstable', got }
}
