/** Version of slipway; a test pins it to package.json. */
export const version = '0.1.0';
