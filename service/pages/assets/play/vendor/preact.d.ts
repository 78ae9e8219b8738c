// What our modules use of preact.js, for `tsc`.
export const html: (strings: TemplateStringsArray, ...values: any[]) => any;
export const render: (drawn: any, root: Element) => void;
export const useEffect: (effect: () => void | (() => void) | undefined, on?: unknown[]) => void;
export const useLayoutEffect: typeof useEffect;
export const useRef: <T>(first: T) => { current: T };
export const useState: <T>(first: T) => [T, (next: T) => void];
