import type { ComparedKey } from './keys.ts'
import { locate } from './locate.ts'
import { Player } from './player.ts'
import { needsRows, type Probe, probesFor } from './probes.ts'
import { type Received, Sender, type SenderOptions } from './sender.ts'
import {
  agree,
  type Heard,
  type References,
  type Signature,
  signatureOf,
  withoutHabits,
} from './signature.ts'

export interface TargetOptions extends SenderOptions {
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
interface ObservedTarget {
  readonly probes: readonly Probe[]
  /** What the answers to each probe have in common. Null if they show nothing */
  readonly seen: readonly (Signature | null)[]
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
 * @throws RefusedError if the server shows nothing
 * @throws UnreachableError if the server does not respond
 */
export async function observeTarget(options: TargetOptions): Promise<ObservedTarget> {
  const sender = new Sender(options)
  const { place, control, hasSlash, notes } = await locate(options, sender)
  const all = probesFor(options.keys.map(({ label }) => label))
  const probes = all.filter((probe) => options.allowWrites || !needsRows(probe))
  const reserved = [0, 0]
  const players = ['1', '2'].map((number, index) => {
    const reserve = (requests: number): void => {
      reserved[index] = requests
      sender.reserved = reserved.reduce((sum, each) => sum + each)
    }
    const marked = { ...place, marker: options.marker + number }
    return new Player(options.url, sender, marked, { hasSlash, reserve })
  })
  const seen: (Signature | null)[][] = [[], []]
  const references: readonly References[] = [{}, {}]
  const left: string[] = []
  try {
    for (let from = 0; from < probes.length; from += blockSize) {
      const block = probes.slice(from, from + blockSize)
      const heard: (Heard | null)[][] = []
      for (const player of players) {
        const answers: (Heard | null)[] = []
        for (const probe of block) answers.push(await player.play(probe))
        heard.push(answers)
      }
      const isWorking = await checkServer(players[0] as Player, control, sender)
      // Only the signatures are kept: a server can answer each probe with a long page.
      for (const [index, answers] of heard.entries()) {
        const believed = withoutFailures(answers, isWorking)
        seen[index]?.push(...signaturesOf(believed, references[index] as References))
      }
    }
  } finally {
    for (const player of players) left.push(...(await player.own.remove()))
  }
  const [first = [], second = []] = seen
  return {
    probes,
    seen: withoutHabits(probes.map((_, at) => agree(first[at] ?? null, second[at] ?? null))),
    throttled: sender.throttled,
    requests: sender.count,
    notes,
    left,
    ended: sender.end,
  }
}

/** Whether a request that worked before works still. A server that no longer answers it is left alone. */
async function checkServer(player: Player, control: Probe, sender: Sender): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts && sender.end === null; attempt += 1) {
    if (attempt > 0) await sender.pause(2 ** (attempt - 1))
    const heard = await player.play(control)
    if (heard && heard.status < 300) return attempt === 0
    if (heard && attempt + 1 === maxAttempts) {
      sender.finish(`The server stopped working: it answers with ${heard.status}.`)
    }
  }
  return false
}

const maxAttempts = 6

/** The answers of a block that are those of a working server. */
function withoutFailures(heard: readonly (Heard | null)[], isWorking: boolean): (Heard | null)[] {
  const isFailure = (each: Heard | null): boolean => (each?.status ?? 0) >= 500
  const isDown = heard.filter(isFailure).length >= manyFailures
  return heard.map((each) => (isWorking && !(isDown && isFailure(each)) ? each : null))
}

/** @param references changed in place. The answers that others are compared with are in the first block */
function signaturesOf(
  heard: readonly (Heard | null)[],
  references: References,
): (Signature | null)[] {
  for (const each of heard) if (each?.probe.like) references[each.probe.like] = each
  return heard.map((each) => each && signatureOf(each, references))
}
