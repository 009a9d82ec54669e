import { type ChildProcess, spawn } from 'node:child_process'
import { captureOutput } from '../cli/process.ts'
import { type Image, inside, isRoot } from './image.ts'

type Variables = Readonly<Record<string, string>>

/** Runs an image as an engine would: as its user, with its variables and no others, its command unless one is given. */
export function runImage(
  image: Image,
  variables: Variables,
  command?: readonly string[],
): ChildProcess {
  return runInside(image, variables, [...image.entrypoint, ...(command ?? image.command)])
}

/** Asks it whether it is well. */
export function checkHealth(image: Image, variables: Variables): ChildProcess {
  return runInside(image, variables, image.healthcheck)
}

function runInside(image: Image, variables: Variables, command: readonly string[]): ChildProcess {
  const [file = '', ...args] = command.map((word) =>
    word.startsWith(`${image.workdir}/`) ? inside(image, word) : word,
  )
  return captureOutput(
    spawn(file, args, {
      cwd: inside(image, image.workdir),
      env: { PATH: process.env.PATH, ...image.env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot && { uid: image.uid, gid: image.gid }),
    }),
  )
}
