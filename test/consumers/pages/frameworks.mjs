import { basename } from 'node:path'

/**
 * What differs between the projects of pages, by their folders:
 *
 * - `serve`: the command that serves, to which `--port` is added, and `offline`: what is added for pages that the simulator
 *   answers inside the page, where these have a server of their own
 * - `base`: the path of the pages, and `alone`: the page that waits for its simulator
 * - `built`: where the build for production is
 * - `hasForm`: whether the first page lists the rows and adds one in the server
 */
const frameworks = {
  next: {
    serve: 'npm run dev --',
    alone: 'alone',
    built: ['.next/static', '.next/server'],
    hasForm: true,
  },
  sveltekit: {
    serve: 'npm run dev -- --strictPort',
    offline: '--mode offline',
    base: 'shop/',
    alone: 'alone',
    built: ['build'],
    hasForm: true,
  },
  'react-router': {
    serve: 'npm run dev -- --strictPort',
    offline: '--mode offline',
    alone: '',
    built: ['build'],
    hasForm: true,
  },
  astro: {
    serve: 'npm run dev --',
    offline: '--mode offline',
    base: 'docs/',
    alone: '',
    built: ['dist'],
  },
  angular: { serve: 'ng serve --configuration offline', alone: '', built: ['dist'] },
  nuxt: { serve: 'npm run dev --' },
  ssr: { serve: 'npm start --' },
}

export const framework = frameworks[basename(process.cwd())]
