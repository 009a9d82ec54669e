import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { root } from '../../root.ts'

/** The pages of the projects in test/consumers that use the API from a browser, and a client that retries. */
export type PageName = 'form' | 'react' | 'client'

/** Returns a page by its name: HTML with all its scripts. */
export async function readPage(name: PageName): Promise<string> {
  if (name === 'form') return readFileSync(`${root}test/consumers/playwright/index.html`, 'utf8')
  if (name === 'react') return reactPage()
  return readFileSync(new URL('client.html', import.meta.url), 'utf8')
}

/** The page of test/consumers/vite-react. Preact stands for React, which this repository does not install. */
async function reactPage(): Promise<string> {
  const folder = `${root}test/consumers/vite-react`
  const { outputFiles } = await build({
    entryPoints: [`${folder}/main.tsx`],
    alias: { react: 'preact/compat', 'react-dom/client': 'preact/compat/client' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'import.meta.env.MODE': '"production"' },
    external: ['understudy-api/browser'],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  const script = `<script type="module">${outputFiles[0]?.text}</script>`
  return readFileSync(`${folder}/index.html`, 'utf8')
    .replace('/favicon.svg', 'data:,')
    .replace(/<script .*<\/script>/, () => script)
}
