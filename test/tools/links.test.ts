import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'

const documents = ['README.md', 'MIGRATING.md', 'CONTRIBUTING.md', 'CHANGELOG.md']

test.each(documents)('every link of %s leads to a file or a heading that is there', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title))

  const leadingNowhere = targets.filter((target) => {
    if (/^https?:/.test(target)) return false
    return target.startsWith('#') ? !headings.includes(target) : !existsSync(join(root, target))
  })

  expect(leadingNowhere).toEqual([])
})

/** As GitHub makes it of a heading. */
function anchorOf(title: string): string {
  return `#${title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`
}
