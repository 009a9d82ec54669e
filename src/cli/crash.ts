import { inspect } from 'node:util'
import { packageFile } from '../utils/package-file.ts'

/**
 * Says of an error that no code caught where it is from: from code of the user, such as a handler, or from this package.
 *
 * @param file a module of the user that runs in this process
 */
export function crashError(error: unknown, file?: string): Error {
  const hasStack = typeof Object(error).stack === 'string'
  const what = hasStack ? String(error) : inspect(error)
  const place = placeOf(error) ?? (hasStack ? undefined : file)
  return new Error(
    place === undefined
      ? `Understudy met an error of its own: ${what}. Report it, with what happened before.`
      : `Your code in ${place} left an error that it did not catch: ${what}. Catch it there, and await each promise.`,
  )
}

/** The first line of a stack that is neither of Node nor of a package. */
function placeOf(error: unknown): string | undefined {
  const { stack = '' } = Object(error) as { stack?: string }
  const own = packageFile('dist')
  const frames = [
    ...String(stack).matchAll(/\bat (?:.*\()?(?:file:\/\/)?((?:\/|[a-z]:)[^()\n]*:\d+):\d+\)?$/gim),
  ]
  return frames
    .map(([, place = '']) => place)
    .find((place) => !place.includes('/node_modules/') && !place.startsWith(own))
}
