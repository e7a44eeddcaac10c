/** The types of oidc-provider do not describe its files; `library.ts` gives them the types of the package. */
declare module 'oidc-provider/lib/*'
