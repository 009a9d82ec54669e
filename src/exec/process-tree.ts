import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { wait } from '../utils/wait.ts'

/** How often the processes that got a signal are looked at, in milliseconds. */
const lookInterval = 50

/** How often processes are looked at until they are stopped: one that waits for the start of another does not stop before. */
const maxRounds = 50

/** A command that was started, and the processes behind it, such as a development server behind `npx`. */
export class ProcessTree {
  readonly child: ChildProcess
  readonly #isGroup: boolean
  /** Those that were there at the last signal, by their ids */
  #signalled: ReadonlyMap<number, RunningProcess> = new Map()

  /** @param isGroup whether the command has a process group of its own, which has also those whose parent has ended */
  constructor(child: ChildProcess, isGroup: boolean) {
    this.child = child
    this.#isGroup = isGroup
  }

  /** Sends a signal to all processes. On Windows, which has no signals, it ends them. */
  signal(name: NodeJS.Signals): void {
    const { pid } = this.child
    if (pid === undefined) return
    if (process.platform === 'win32') {
      const ended = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
      ended.on('error', () => this.child.kill())
      return
    }
    const ids = this.#isGroup ? [-pid] : this.#stopAll()
    send(ids, name)
    send(ids, 'SIGCONT')
  }

  /** Stops all, so that none starts another one that the next signal would miss. @returns their ids */
  #stopAll() {
    // While processes are listed, one can start another and stop.
    for (let round = 1, wereStopped = false; ; round++) {
      const ids = this.remember()
      const going = ids.filter((id) => this.#signalled.get(id)?.isStopped === false)
      if (round === maxRounds || (wereStopped && going.length === 0)) return ids
      wereStopped = going.length === 0
      send(going, 'SIGSTOP')
    }
  }

  /** Remembers the processes that are there now, as those that got a signal. @returns their ids */
  remember(): number[] {
    const { pid, exitCode, signalCode } = this.child
    const running = listProcesses()
    // A parent can have ended before its end is noticed here. Its processes are found because they are remembered.
    const ids = new Set(this.#alive(running))
    if (exitCode === null && signalCode === null) ids.add(Number(pid))
    // A set is walked to its end, also if it grows.
    for (const id of ids) {
      for (const [child, { parent }] of running) if (parent === id) ids.add(child)
    }
    this.#signalled = new Map([...running].filter(([id]) => ids.has(id)))
    return [...ids]
  }

  /** Waits for the end of those that got a signal. @returns how many are still there after these milliseconds */
  async waitForEnd(milliseconds: number): Promise<number> {
    const end = performance.now() + milliseconds
    for (;;) {
      const { length } = this.#alive(listProcesses())
      if (length === 0 || performance.now() >= end) return length
      await wait(lookInterval)
    }
  }

  /** A process that started later can have the id of one that has ended. */
  #alive(running: ReadonlyMap<number, RunningProcess>) {
    const isAlive = ([id, { start }]: [number, RunningProcess]) => running.get(id)?.start === start
    return [...this.#signalled].filter(isAlive).map(([id]) => id)
  }
}

function send(ids: readonly number[], name: NodeJS.Signals) {
  for (const id of ids) {
    try {
      process.kill(id, name)
    } catch {
      // It has ended already.
    }
  }
}

interface RunningProcess {
  readonly parent: number
  /** When it started, in the form of the system */
  readonly start: string
  readonly isStopped: boolean
}

/** The processes of this machine by their ids. Empty where they cannot be listed. */
function listProcesses(): Map<number, RunningProcess> {
  return process.platform === 'linux' ? readProcesses() : printProcesses()
}

function toProcess(parent = '', state = '', start = ''): RunningProcess {
  return { parent: Number(parent), start, isStopped: /^T/i.test(state) }
}

/** From files, because not every image of a container has `ps`. */
function readProcesses() {
  const running = new Map<number, RunningProcess>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // The name of the program, in brackets, can contain spaces and brackets.
      const [, fields = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      const [state, parent, ...others] = fields.split(' ')
      // A zombie has ended.
      if (state !== 'Z') running.set(Number(name), toProcess(parent, state, others[17]))
    } catch {
      // It has ended since its folder was listed.
    }
  }
  return running
}

function printProcesses(): Map<number, RunningProcess> {
  try {
    const fields = ['-A', '-o', 'pid=,ppid=,stat=,lstart=']
    const lines = execFileSync('ps', fields, { encoding: 'utf8' })
    const rows = lines.matchAll(/^ *(\d+) +(\d+) +(\S+) +(.*)$/gm)
    return new Map([...rows].map(([, id, ...row]) => [Number(id), toProcess(...row)]))
  } catch {
    return new Map()
  }
}
