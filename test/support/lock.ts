import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { root } from './root.ts'

/** For each time on stdin: waits until then, tries to lock the file, and prints "owner" or the message. */
const script = `
import { createInterface } from 'node:readline'
import { lockFile } from '${root}dist/world/persistence/lock-file.js'
console.log('started')
for await (const line of createInterface({ input: process.stdin })) {
  while (Date.now() < Number(line));
  console.log(await lockFile(process.env.STATE).then(() => 'owner', (error) => error.message))
}`

export interface Contender {
  readonly child: ChildProcess
  readonly nextLine: () => Promise<string>
}

/** Starts a process that contends for the lock of a file. */
export async function startContender(file: string): Promise<Contender> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, STATE: file },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => (await lines.next()).value as string
  await nextLine()
  return { child, nextLine }
}

/** Lets all contenders lock at one moment. Returns what each one prints. */
export function contend(contenders: readonly Contender[]): Promise<string[]> {
  const start = Date.now() + 5
  for (const { child } of contenders) child.stdin?.write(`${start}\n`)
  return Promise.all(contenders.map(({ nextLine }) => nextLine()))
}
