import { distance } from 'fastest-levenshtein'
import { type BaseUrl, baseUrlPattern } from './base.ts'
import type { PathMatcher, PathPattern } from './path.ts'

/** The most letters in which a word differs from the one that was meant; of short words, a third of theirs. */
const maxTypos = 2

/**
 * A matcher of addresses that nearly have one of the paths: each of its words is there but one, which is misspelt. It
 * takes no address that another API may well have: a word besides the first is as it is in the path.
 *
 * @example toMisspelt(patterns, toBase('*')).match('http://a.test/api/projects/1/anotations/') // { params: {}, … }
 */
export function createTypoMatcher(patterns: readonly PathPattern[], base: BaseUrl): PathMatcher {
  const beginning = new RegExp(`^${baseUrlPattern(base)}(/[^?#]*)`)
  const paths = patterns.map(({ text }) => splitPath(text))
  return {
    pattern: '/api/*',
    match(url) {
      const [, sandbox, path] = beginning.exec(url) ?? []
      if (path === undefined) return null
      const asked = splitPath(path.replace(/\/$/, ''))
      if (asked.includes('')) return null
      const near = paths.filter((segments) => segments.length === asked.length)
      // An address that has a path is not meant, however near it is to another.
      if (near.some((segments) => differingSegments(asked, segments).length === 0)) return null
      if (!near.some((segments) => isTypo(asked, segments))) return null
      return { params: {}, suffix: undefined, sandbox }
    },
  }
}

function isTypo(asked: readonly string[], segments: readonly string[]): boolean {
  const [at = 0, ...more] = differingSegments(asked, segments)
  const isAlone = segments.filter((segment) => !segment.startsWith(':')).length < 3
  if (at === 0 || more.length > 0 || isAlone) return false
  const [got, meant] = [asked[at] as string, segments[at] as string]
  const most = Math.min(maxTypos, Math.floor(meant.length / 3))
  return Math.abs(got.length - meant.length) <= most && distance(got, meant) <= most
}

/** Where words of a path are not as they were asked for. */
function differingSegments(asked: readonly string[], segments: readonly string[]): number[] {
  return segments.flatMap((segment, index) =>
    segment.startsWith(':') || segment === asked[index] ? [] : [index],
  )
}

function splitPath(path: string): string[] {
  return path.split('/').slice(1)
}
