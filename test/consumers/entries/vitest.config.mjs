import { defineConfig } from 'vitest/config'

// Plugins of frameworks set these beside `node`, such as those of Svelte and Solid.
const sets = [
  ['browser'],
  ['workerd', 'worker', 'browser'],
  ['edge-light'],
  ['react-native'],
  ['deno', 'bun'],
]
const environments = ['node', 'jsdom', 'happy-dom']

export default defineConfig({
  test: {
    projects: environments.flatMap((environment) =>
      sets.map((conditions) => ({
        resolve: { conditions },
        test: {
          name: `${environment} ${conditions.join(' ')}`,
          environment,
          include: ['fixture.example.mjs'],
        },
      })),
    ),
  },
})
