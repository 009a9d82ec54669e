const project = (environment, file) => ({
  test: { name: environment, environment, include: [file], testTimeout: 30_000 },
})

export default {
  test: {
    projects: [
      project('node', 'clients.test.mjs'),
      project('jsdom', 'page.test.mjs'),
      project('happy-dom', 'page.test.mjs'),
    ],
  },
}
