export default { transform: {}, testMatch: ['**/*.test.{mjs,cjs}'] }
