// `npm run site`: writes a static page to the folder `site`, on which the simulator can be tried. It can be served below
// any path, such as by GitHub Pages. Another folder can be named: node .tools/site.mjs FOLDER
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeThirdPartyLicences } from './licences.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, '.tools', 'site')
const site = resolve(process.argv[2] ?? join(root, 'site'))

rmSync(site, { recursive: true, force: true })
mkdirSync(site, { recursive: true })
const { metafile } = await build({
  ...{ absWorkingDir: root, entryPoints: [join(source, 'site.jsx'), join(source, 'site.css')] },
  ...{ outdir: join(site, 'assets'), bundle: true, minify: true, splitting: true, metafile: true },
  ...{ format: 'esm', target: 'es2022', platform: 'browser', legalComments: 'linked' },
  // The example is written for React.
  ...{ jsx: 'automatic', jsxImportSource: 'preact', alias: { react: 'preact/compat' } },
  logLevel: 'warning',
})
copyFileSync(join(source, 'index.html'), join(site, 'index.html'))
const worker = 'mockServiceWorker.js'
copyFileSync(join(root, 'node_modules', 'msw', 'lib', worker), join(site, worker))
writeThirdPartyLicences(site, [metafile], ['msw'])
console.log(
  `Wrote ${site}. Serve it with any server of files, such as npx vite preview --outDir site.`,
)
