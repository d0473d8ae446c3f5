//! tract's ONNX importer: a model of one `Slice` whose vectors are constants, imported and run.

use slice_conformance::{Axes, Reply, System, run};
use tract_onnx::pb;
use tract_onnx::prelude::*;

struct Tract;

fn constant(name: &str, values: &[i64]) -> pb::TensorProto {
    pb::TensorProto {
        name: name.to_owned(),
        dims: vec![values.len() as i64],
        data_type: pb::tensor_proto::DataType::Int64 as i32,
        int64_data: values.to_vec(),
        ..Default::default()
    }
}

fn model(axes: &Axes) -> pb::ModelProto {
    let given = [
        ("starts", Some(&axes.starts)),
        ("ends", Some(&axes.ends)),
        ("axes", axes.axes.as_ref()),
        ("steps", axes.steps.as_ref()),
    ];
    let mut input = vec!["x".to_owned()];
    input.extend(
        given.iter().map(|(name, v)| if v.is_some() { (*name).to_owned() } else { String::new() }),
    );
    let tensor =
        pb::type_proto::Tensor { elem_type: pb::tensor_proto::DataType::Int64 as i32, shape: None };
    let value = pb::type_proto::Value::TensorType(tensor);
    let kind = pb::TypeProto { denotation: String::new(), value: Some(value) };
    let named = |name: &str| pb::ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(kind.clone()),
        ..Default::default()
    };
    let graph = pb::GraphProto {
        node: vec![pb::NodeProto {
            op_type: "Slice".to_owned(),
            input,
            output: vec!["y".to_owned()],
            ..Default::default()
        }],
        initializer: given.iter().filter_map(|(name, v)| Some(constant(name, (*v)?))).collect(),
        input: vec![named("x")],
        output: vec![named("y")],
        ..Default::default()
    };
    pb::ModelProto {
        ir_version: 8,
        opset_import: vec![pb::OperatorSetIdProto { domain: String::new(), version: 13 }],
        graph: Some(graph),
        ..Default::default()
    }
}

fn imported(shape: &[usize], axes: &Axes) -> TractResult<Reply> {
    let fact = InferenceFact::dt_shape(i64::datum_type(), shape);
    let model = tract_onnx::onnx().model_for_proto_model(&model(axes))?;
    let plan = model.with_input_fact(0, fact)?.into_typed()?.into_runnable()?;
    let count = shape.iter().product::<usize>() as i64;
    let x = Tensor::from_shape(shape, &(0..count).collect::<Vec<i64>>())?;
    let y = plan.run(tvec!(x.into()))?.remove(0).into_tensor();
    let values = y.to_plain_array_view::<i64>()?.iter().copied().collect();
    Ok(Reply::Tensor(y.shape().to_vec(), values))
}

impl System for Tract {
    fn name(&self) -> String {
        "tract's ONNX importer".to_owned()
    }

    fn slice(&self, shape: &[usize], axes: &Axes) -> Reply {
        imported(shape, axes).unwrap_or_else(|error| Reply::Refused(error.to_string()))
    }
}

fn main() {
    print!("{}", run(&Tract));
}
