/** The texts of the way to a protected app, in French. */
import type { FirstAppTexts } from './en.ts'

export const fr: FirstAppTexts = {
  title: 'Protéger une application',
  titleOf: (framework: string) => `Protéger une application : ${framework}`,
  step: (number: number) => `Étape ${number} sur 3`,
  home: 'Accueil',
  other: 'Choisir autre chose',
  what: 'Que développez-vous ?',
  kinds: {
    web: 'Application web avec serveur',
    spa: 'Application monopage dans le navigateur',
    api: 'Vérifie les jetons envoyés par d’autres applications',
    native: 'Application sur téléphone ou ordinateur',
  },
  machine: 'Un programme qui s’exécute sans personne est un utilisateur machine.',
  createMachine: 'Créer un utilisateur machine',
  create: 'Créer l’application',
  address: 'Adresse de votre application',
  addressHint: 'Là où elle s’exécute pendant le développement. Vous pourrez ajouter d’autres adresses plus tard.',
  apiAddress: 'Adresse de votre API',
  apiAddressHint:
    'Les jetons d’accès sont émis pour cette adresse, et le code de la page suivante n’en accepte pas d’autres. Les applications les demandent avec le paramètre « resource ».',
  redirectHint: 'Là où le navigateur revient après la connexion. Le code de la page suivante utilise cette adresse.',
  project: 'Mes applications',
  newProject: 'Mes applications (nouveau)',
  projectHint: 'Les applications d’un projet partagent leurs rôles et acceptent mutuellement leurs jetons.',
}
