/** Sign-ins with identity providers, under the name that most tests know. */
export * from './parts/providers.ts'
