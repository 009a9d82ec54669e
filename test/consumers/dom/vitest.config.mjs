const projects = ['jsdom', 'happy-dom'].map((environment) => ({
  test: { name: environment, environment },
}))

export default { test: { projects } }
