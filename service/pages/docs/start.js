// The page of the contract. Where a token may be left out, the padlock says so.
const Optional = () => ({
  wrapComponents: {
    OperationSummary: (Original, { React }) => (props) => {
      const security = props.operationProps.get("security");
      const optional = security?.size > 1 && security.some((way) => way.isEmpty());
      const summary = React.createElement(Original, props);
      return optional ? React.createElement("div", { className: "optional", title: "A token is optional." }, summary) : summary;
    },
  },
});

window.ui = SwaggerUIBundle({
  url: "/openapi.yaml", dom_id: "#contract", deepLinking: true, validatorUrl: null, persistAuthorization: true,
  docExpansion: "list", defaultModelsExpandDepth: 0, tryItOutEnabled: true, plugins: [Optional],
});
