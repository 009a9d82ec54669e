import type { ChildProcess } from 'node:child_process'
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

test('exec forwards signals, serves until the command ends, and ends with its exit code', async () => {
  const program = `
    const ask = async () => (await fetch(process.env.UNDERSTUDY_URL + '/__admin/health')).status
    for (const name of ${names}) {
      process.on(name, async () => {
        for (let count = 0; count < 20; count++) await ask()
        console.log('got', name, await ask())
        if (name === 'SIGHUP') process.exit(3)
      })
    }`
  const child = start(program)
  const end = waitForExit(child)
  await expect.poll(() => outputOf(child).stdout).toContain('ready')

  for (const [signal] of signals) {
    child.kill(signal)
    await expect.poll(() => outputOf(child).stdout).toContain(`got ${signal} 200\n`)
  }

  const { code, stderr } = withoutStart(await end)
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^The command sent no request to the API\. .*\n$/),
  ])
})

/** A process behind a shell, which a signal ends. `end` asks the server before the process ends, too. */
const behindShell = (onSignal: string) => {
  const program = `
    const end = (name) => setTimeout(async () => {
      const { status } = await fetch(process.env.UNDERSTUDY_URL + '/__admin/health')
      console.log('ended by', name, status)
      process.exit()
    }, 300)
    for (const name of ${names}) process.on(name, ${onSignal})
    console.log('ready', process.pid)
    setInterval(() => {}, 1_000)`
  return startProcess(['exec', '--', 'sh', '-c', `"$0" -e "$1"; true`, process.execPath, program])
}

const isRunning = (child: ChildProcess): boolean => {
  const [, id] = /ready (\d+)/.exec(outputOf(child).stdout) ?? []
  try {
    return process.kill(Number(id), 0)
  } catch {
    return false
  }
}

test.each(signals)(
  '%s reaches the processes behind a command, and exec waits for their end',
  async (signal, code) => {
    const child = behindShell('end')
    const ending = waitForExit(child)
    await expect.poll(() => outputOf(child).stdout).toContain('ready')

    child.kill(signal)
    const { stdout, ...end } = withoutStart(await ending)

    expect(end).toEqual({ code, stderr: '' })
    expect(stdout).toContain(`ended by ${signal} 200`)
  },
)

test('a second signal kills processes behind a command that do not end', async () => {
  const child = behindShell(`() => console.log('ignored')`)
  const ending = waitForExit(child)
  await expect.poll(() => outputOf(child).stdout).toContain('ready')

  child.kill('SIGTERM')
  await expect.poll(() => outputOf(child).stdout).toContain('ignored')
  expect([child.exitCode, isRunning(child)]).toEqual([null, true])
  child.kill('SIGINT')

  expect((await ending).code).toBe(143)
  await expect.poll(() => isRunning(child)).toBe(false)
})

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
