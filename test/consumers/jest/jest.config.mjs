export default { transform: {}, testTimeout: 60_000, testMatch: ['**/*.test.{mjs,cjs}'] }
