/** The sentences of signing in with identity providers, in Spanish. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: 'un proveedor externo',
    signInWith: (name) => `Continuar con ${name}`,
    more: 'Más formas de iniciar sesión',
    goOnWith: (name) => `Continuar con ${name}`,
    failed: {
      title: (name) => `No se ha podido iniciar sesión con ${name}`,
      text: 'Ha tardado demasiado, ya se había completado o no está permitido aquí. No se ha cambiado nada. Inténtelo de nuevo.',
    },
    cancelled: {
      title: (name) => `Inicio de sesión con ${name} cancelado`,
      text: 'No se ha cambiado nada. Inténtelo de nuevo o utilice otra forma de iniciar sesión.',
    },
    unavailable: {
      title: (name) => `El inicio de sesión con ${name} no está disponible`,
      text: 'El proveedor no responde correctamente. Inténtelo de nuevo dentro de unos minutos o utilice otra forma de iniciar sesión.',
    },
    taken: {
      title: 'Esta cuenta ya está vinculada',
      text: (name, account) =>
        `La cuenta de ${name} «${account}» está vinculada a otro usuario. Para iniciar sesión con ella, cierre antes la sesión actual.`,
    },
    unlinked: {
      title: (name) => `Esta cuenta de ${name} no se puede usar aquí`,
      text: (name, account) =>
        `La cuenta de ${name} «${account}» no está vinculada a ningún usuario. Solicite acceso a su administrador.`,
    },
    back: 'Volver al inicio de sesión',
    link: {
      title: (name) => `¿Vincular su cuenta de ${name}?`,
      lead: (name, account, userName) =>
        `Ha iniciado sesión con la cuenta de ${name} «${account}». Si la vincula, cualquier persona con acceso a ella podrá iniciar sesión como «${userName}».`,
      yes: 'Vincular cuenta',
      no: 'Cancelar',
    },
    welcome: {
      title: 'Le damos la bienvenida',
      lead: (name, account) => `Ha iniciado sesión con la cuenta de ${name} «${account}».`,
      register: 'Revise sus datos para crear su cuenta.',
      firstName: 'Nombre',
      lastName: 'Apellidos',
      userName: 'Nombre de usuario',
      email: 'Correo electrónico',
      button: 'Crear cuenta',
      firstNameWrong: 'Introduzca un nombre válido.',
      lastNameWrong: 'Introduzca unos apellidos válidos.',
      userNameWrong:
        'Este nombre de usuario no está disponible. Elija otro. Solo puede usar un correo electrónico si es el suyo.',
      emailWrong: 'Introduzca una dirección de correo electrónico válida.',
      known: '¿Ya tiene una cuenta?',
      knownText: 'Inicie sesión en ella primero. Después podrá vincular las dos cuentas.',
      knownOnly:
        'Para usarla aquí, inicie sesión primero en su cuenta existente. Después podrá vincular las dos cuentas.',
      signIn: 'Iniciar sesión en su cuenta',
    },
    account: {
      title: 'Cuentas vinculadas',
      lead: 'Inicie sesión con una cuenta de otro proveedor.',
      off: 'No disponible en este momento',
      link: (name) => `Vincular ${name}`,
      more: 'Más proveedores',
      other: 'Iniciar sesión con otra cuenta',
    },
  },
}
