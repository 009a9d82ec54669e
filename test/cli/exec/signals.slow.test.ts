import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withoutStart } from '../../support/cli/exec.ts'
import { outputOf, startProcess, waitForExit } from '../../support/cli/process.ts'

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGQUIT', 131],
  ['SIGHUP', 129],
] as const

const names = JSON.stringify(signals.map(([name]) => name))

/** Starts exec with a Node program, which prints "ready" and waits. */
function start(program: string) {
  const ready = 'console.log("ready", process.env.UNDERSTUDY_URL); setTimeout(() => {}, 60_000)'
  return startProcess(['exec', '--', process.execPath, '-e', `${program};${ready}`])
}

test('exec forwards a signal, serves until the command ends, and ends with its exit code', async () => {
  const child = start(`
    const ask = async () => (await fetch(process.env.UNDERSTUDY_URL + '/__admin/health')).status
    process.on('SIGHUP', async () => {
      for (let count = 0; count < 20; count++) await ask()
      console.log('got SIGHUP', await ask())
      process.exit(3)
    })`)
  const end = waitForExit(child)
  await expect.poll(() => outputOf(child).stdout).toContain('ready')

  child.kill('SIGHUP')
  const { code, stdout, stderr } = withoutStart(await end)

  expect([code, stdout, stderr]).toEqual([
    3,
    expect.stringContaining('got SIGHUP 200\n'),
    // On a busy machine, it says first what it waits for.
    expect.stringMatching(/The command sent no request to the API\. .*\n$/),
  ])
})

/** A process behind a shell, which waits for it until a signal comes. `end` asks the server before the process ends. */
const behindShell = (onSignal: string, script = '"$0" -e "$1" & wait') => {
  const program = `
    const end = (name) => setTimeout(async () => {
      const { status } = await fetch(process.env.UNDERSTUDY_URL + '/__admin/health')
      console.log('ended by', name, status)
      process.exit()
    }, 300)
    for (const name of ${names}) process.on(name, ${onSignal})
    console.log('ready', process.pid, process.ppid)
    setInterval(() => {}, 1_000)`
  return startProcess(['exec', '--', 'sh', '-c', script, process.execPath, program])
}

const ignore = `() => console.log('ignored')`

/** The ids of the process behind a shell, and of the shell */
async function idsOf(child: ChildProcess): Promise<[process: number, shell: number]> {
  await expect.poll(() => outputOf(child).stdout).toMatch(/ready \d+ \d+\n/)
  const [, id, shell] = /ready (\d+) (\d+)/.exec(outputOf(child).stdout) ?? []
  return [Number(id), Number(shell)]
}

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

test.each(signals.slice(0, 2))(
  '%s reaches the processes behind a command, and exec waits for their end',
  async (signal, code) => {
    const child = behindShell('end')
    const ending = waitForExit(child)
    await idsOf(child)

    child.kill(signal)
    const end = await ending

    expect(end.code).toBe(code)
    expect(end.stdout).toContain(`ended by ${signal} 200`)
    expect(end.stderr).not.toContain('Killed')
  },
)

test('a signal right after the line that says what is served ends the command, too', async () => {
  const child = startProcess(['exec', '--', 'sleep', '60'])
  child.stderr?.once('data', () => child.kill('SIGTERM'))

  expect((await waitForExit(child)).code).toBe(143)
})

const waiting =
  'Waiting for 1 process of the command. Another signal, such as Ctrl-C, kills what is left.\n'

const behind = () => behindShell(ignore)
const command = () =>
  start(
    `for (const name of ${names}) process.on(name, () => {}); console.log('ready', process.pid, 0)`,
  )

test.each<
  [
    what: string,
    open: () => ChildProcess,
    stop: NodeJS.Signals | null,
    code: number,
    again: NodeJS.Signals | null,
  ]
>([
  ['process behind a command that ignores its signal', behind, null, 143, 'SIGINT'],
  ['process behind a command that ignores its signal', behind, null, 143, null],
  ['command that ignores its signal', command, null, 137, 'SIGTERM'],
  ['command that ignores its signal', command, null, 137, null],
  ['command that is stopped', command, 'SIGSTOP', 137, 'SIGTERM'],
])('a %s is killed: %#', async (...row) => {
  const [, open, stop, code, again] = row
  const child = open()
  const ending = waitForExit(child)
  const [id] = await idsOf(child)
  if (stop) process.kill(id, stop)

  child.kill('SIGTERM')
  await expect.poll(() => outputOf(child).stderr).toContain(waiting)
  expect([child.exitCode, isRunning(id)]).toEqual([null, true])
  if (again) child.kill(again)
  const end = withoutStart(await ending)

  const reason = again ? `because of ${again}` : 'which did not end within 10 s'
  const killed = `Killed 1 process of the command, ${reason}.\n`
  expect([end.code, end.stderr]).toEqual([code, waiting + killed])
  await expect.poll(() => isRunning(id)).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'a process that got a signal is waited for, also if the next signal comes when its shell has just ended',
  async () => {
    const child = behindShell(ignore, 'trap : TERM; "$0" -e "$1"; true')
    const ending = waitForExit(child)
    const [id, shell] = await idsOf(child)
    child.kill('SIGTERM')
    await expect.poll(() => outputOf(child).stdout).toContain('ignored')

    child.kill('SIGSTOP')
    process.kill(shell, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${shell}/stat`, 'utf8')).toContain('(sh) Z')
    // The system decides whether exec gets this signal or the end of the shell first. Only the former was once wrong.
    child.kill('SIGHUP')
    child.kill('SIGCONT')
    const { code, stderr } = await ending

    expect([code, stderr]).toEqual([137, expect.stringMatching(/Killed .*, because of SIGHUP\.\n/)])
    await expect.poll(() => isRunning(id)).toBe(false)
  },
)

test.each(signals)(
  '%s ends a command without a handler, and exec ends with %i',
  async (signal, code) => {
    const child = start('')
    const ending = waitForExit(child)
    await expect.poll(() => outputOf(child).stdout).toContain('ready')

    child.kill(signal)
    const end = withoutStart(await ending)

    expect([end.code, end.stderr]).toEqual([code, ''])
    const url = /http:\S+/.exec(end.stdout)?.[0]
    await expect(fetch(`${url}/__admin/health`)).rejects.toThrow()
  },
)
