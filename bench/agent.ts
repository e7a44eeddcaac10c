/** A client that nobody prepared, for the OpenID measurements: `client-document.ts` answers for its host. */
export const REDIRECT_URI = 'http://localhost/callback'
export const DOCUMENT = 'https://agent.example/client.json'
export const METADATA = { client_id: DOCUMENT, client_name: 'Agent', redirect_uris: [REDIRECT_URI] }
